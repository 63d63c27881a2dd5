public import Foundation
public import StoreManagerCore

/// Checks app receipts: that Apple signed them, and for this app, version and device.
///
/// The certificates are looked at as of the receipt's creation, since Apple's signers live for two years and receipts for ever.
/// The same verifier, or copies of it, may be used on any number of threads; it remembers chains that it found good.
public struct AppReceiptVerifier: Sendable {
    /// The app's bundle identifier; nil skips the check. On watchOS it is that of the iOS app.
    ///
    /// Write it into the source: what `Bundle.main` says can be changed together with the receipt.
    public var bundleIdentifier: String?
    /// The app's version; nil skips the check. See ``ReceiptContents/applicationVersion`` for what it is on which platform.
    public var applicationVersion: String?
    /// The App Store's number of the app, which only receipts from production have; nil skips the check.
    public var appAppleID: Int64?
    /// The device's identifier; nil skips the check, as a server must.
    ///
    /// The 16 bytes of `identifierForVendor` where there is such a thing, on a Mac the 6 bytes of the MAC address of `en0`.
    public var deviceIdentifier: Data?
    /// The environments that receipts may come from; nil skips the check, but never accepts receipts from local testing. A
    /// receipt that does not tell counts as from production.
    public var environments: Set<StoreEnvironment>?

    private let roots: TrustedRoots
    private let now: @Sendable () -> Date
    private let chains = VerifiedChains()

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - environments: To accept Xcode's receipts, add `.xcode` here and Xcode's certificate to the roots. Its private key is
    ///     in everybody's Xcode, so never do so in an app that is shipped.
    ///   - roots: What chains may lead to.
    ///   - now: The date now, which a receipt's own term is compared with.
    public init(
        bundleIdentifier: String?, applicationVersion: String? = nil, appAppleID: Int64? = nil,
        deviceIdentifier: Data? = nil, environments: Set<StoreEnvironment>? = [.production, .sandbox],
        roots: TrustedRoots = .apple, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.appAppleID = appAppleID
        self.deviceIdentifier = deviceIdentifier
        self.environments = environments
        self.roots = roots
        self.now = now
    }

    /// Decodes and checks a receipt.
    ///
    /// - Parameters:
    ///   - data: The receipt file, or base64 text of it.
    ///   - date: The date as of which everything is looked at; nil for the usual ones, see ``verify(_:at:)``.
    /// - Throws: ``VerificationError/malformed(_:)`` or ``VerificationError/refused(_:)``.
    public func verify(data: Data, at date: Date? = nil) throws -> VerifiedReceipt {
        try verify(try VerificationError.wrap { try AppReceipt(data: data) }, at: date)
    }

    /// Checks a receipt.
    ///
    /// - Parameter date: The date as of which everything is looked at; nil for the receipt's creation, and for its own term now.
    /// - Throws: ``VerificationError/malformed(_:)`` or ``VerificationError/refused(_:)``.
    public func verify(_ receipt: AppReceipt, at date: Date? = nil) throws -> VerifiedReceipt {
        try VerificationError.wrap {
            let contents = receipt.unverifiedContents
            let environment = contents.environment ?? .production
            let isAccepted = environments.accept(environment)
            if environment.isLocalTesting, !isAccepted { throw Refusal.environmentNotAccepted(environment) }
            let chain = try chain(of: receipt.container, isFromLocalTesting: environment.isLocalTesting)
            try receipt.container.checkSignature(by: chain.leafKey)
            guard let created = contents.creationDate else { throw Refusal.creationDateMissing }
            try chain.checkValidity(at: date ?? created)
            try checkRecipient(contents, environment)
            guard isAccepted else { throw Refusal.environmentNotAccepted(contents.environment) }
            if let end = contents.expirationDate, end <= date ?? now() { throw Refusal.receiptExpired(end) }
            return VerifiedReceipt(
                contents: contents, validationDate: date ?? created, isFromLocalTesting: environment.isLocalTesting)
        }
    }

    private func chain(of container: SignedContainer, isFromLocalTesting: Bool) throws -> CertificateChain {
        // Only for local testing may the signer itself be a trusted root; such chains are not remembered for other data.
        if isFromLocalTesting { return try container.signerChain(to: roots, acceptsTrustedSigner: true) }
        let bytes = container.bytes.span
        let signer = try container.signer().identifierEncoding
        return try chains.chain(
            for: bytes.extracting(container.allCertificates), signedBy: bytes.extracting(signer), at: now()
        ) {
            try container.signerChain(to: roots, acceptsTrustedSigner: false)
        }
    }

    /// Makes sure that the receipt was issued to this app, version and device.
    private func checkRecipient(_ contents: ReceiptContents, _ environment: StoreEnvironment) throws {
        if let bundleIdentifier, contents.bundleIdentifier != bundleIdentifier {
            throw Refusal.bundleIdentifierMismatch(found: contents.bundleIdentifier, expected: bundleIdentifier)
        }
        if let applicationVersion, contents.applicationVersion != applicationVersion {
            throw Refusal.applicationVersionMismatch(
                found: contents.applicationVersion, expected: applicationVersion)
        }
        if let appAppleID, environment == .production, contents.appAppleID != appAppleID {
            throw Refusal.appAppleIDMismatch(found: contents.appAppleID, expected: appAppleID)
        }
        if let deviceIdentifier, !contents.isIssued(to: deviceIdentifier) { throw Refusal.deviceMismatch }
    }
}

extension ReceiptContents {
    /// The hash that this receipt would have, had it been issued to the device given; nil where it lacks what is hashed.
    func makeDeviceHash(for deviceIdentifier: Data) -> Data? {
        bytesOfDeviceHash(for: deviceIdentifier).map { Data(HashAlgorithm.sha1.hash($0.span)) }
    }

    /// Whether this receipt was issued to a device; false where it lacks the hash or what is hashed.
    fileprivate func isIssued(to deviceIdentifier: Data) -> Bool {
        guard let deviceHash, let bytes = bytesOfDeviceHash(for: deviceIdentifier) else { return false }
        return HashAlgorithm.sha1.isHash(deviceHash, of: bytes.span)
    }

    private func bytesOfDeviceHash(for deviceIdentifier: Data) -> ContiguousArray<UInt8>? {
        guard let opaqueValue, let bundleIdentifierData else { return nil }
        return ContiguousArray(deviceIdentifier + opaqueValue + bundleIdentifierData)
    }
}

extension StoreEnvironment {
    /// Store testing without Xcode, as Apple's server libraries name it.
    public static let localTesting = StoreEnvironment(rawValue: "LocalTesting")

    /// Whether data from here are made on a developer's machine, where no money is paid.
    public var isLocalTesting: Bool { self == .xcode || self == .localTesting }
}

extension Set<StoreEnvironment>? {
    /// Whether data from an environment are accepted: one of these it must be, or where there is no such demand, none of local
    /// testing.
    func accept(_ environment: StoreEnvironment?) -> Bool {
        guard let environments = self else { return environment?.isLocalTesting != true }
        return environment.map(environments.contains) ?? false
    }
}
