public import Foundation
public import StoreManagerCore

/// Checks what the App Store signs as JWS: that Apple signed it, for this app, in an environment that is accepted.
///
/// The certificates are looked at as of the date when the data were signed, which is part of what was signed. Chains that were
/// found good are remembered for a quarter of an hour, so that the next datum costs one signature check. Whether a certificate
/// was revoked since is asked apart, by ``VerifiedData/checkRevocation(by:at:)``, for that takes a network.
/// The same verifier, or copies of it, may be used on any number of threads.
public struct SignedDataVerifier: Sendable {
    /// The app's bundle identifier; nil skips the check. Renewal infos do not name the app.
    public var bundleIdentifier: String?
    /// The App Store's number of the app, which only app transactions and notifications from production have; nil skips the
    /// check.
    public var appAppleID: Int64?
    /// The environments that data may be from; nil skips the check, but never accepts data from local testing.
    ///
    /// With `.xcode` or `.localTesting` among them, data that claim to be from there are accepted without a chain to a root:
    /// anybody can make such data, so never do so in an app that is shipped.
    public var environments: Set<StoreEnvironment>?

    private let roots: TrustedRoots
    private let now: @Sendable () -> Date
    private let chains = VerifiedChains()

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - roots: What chains may lead to.
    ///   - now: The date now, as of which data without a date of their own are looked at.
    public init(
        bundleIdentifier: String?, appAppleID: Int64? = nil,
        environments: Set<StoreEnvironment>? = [.production, .sandbox], roots: TrustedRoots = .apple,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.appAppleID = appAppleID
        self.environments = environments
        self.roots = roots
        self.now = now
    }

    /// Checks a transaction: bundle identifier and environment.
    ///
    /// - Parameter date: The date as of which the certificates are looked at; nil for when the data were signed.
    /// - Throws: ``VerificationError``.
    public func verify(_ transaction: SignedTransaction, at date: Date? = nil) throws -> VerifiedTransaction {
        try verify(transaction, at: date) { try check(bundleIdentifier: $0.bundleIdentifier) }
    }

    /// Checks a renewal info: environment.
    ///
    /// - Parameter date: The date as of which the certificates are looked at; nil for when the data were signed.
    /// - Throws: ``VerificationError``.
    public func verify(_ renewalInfo: SignedRenewalInfo, at date: Date? = nil) throws -> VerifiedRenewalInfo {
        try verify(renewalInfo, at: date) { _ in }
    }

    /// Checks the purchase of the app: bundle identifier, environment and, in production, the app's number.
    ///
    /// - Parameter date: The date as of which the certificates are looked at; nil for when the data were signed.
    /// - Throws: ``VerificationError``.
    public func verify(
        _ appTransaction: SignedAppTransaction, at date: Date? = nil
    ) throws -> VerifiedAppTransaction {
        try verify(appTransaction, at: date) {
            try check(bundleIdentifier: $0.bundleIdentifier)
            try check(appAppleID: $0.appAppleID, in: $0.environment)
        }
    }

    /// Checks a notification, and each JWS in it: bundle identifier, environment and, in production, the app's number.
    ///
    /// - Parameter date: The date as of which the certificates are looked at; nil for when the data were signed.
    /// - Throws: ``VerificationError``.
    public func verify(_ notification: SignedNotification, at date: Date? = nil) throws -> VerifiedNotification {
        let verified = try verify(notification, at: date) {
            try check(bundleIdentifier: $0.app?.bundleIdentifier)
            try check(appAppleID: $0.app?.appAppleID, in: $0.environment)
        }
        let data = verified.claims.data
        return VerifiedNotification(
            notification: verified,
            transaction: try verify(nested: data?.signedTransaction, at: date, verify),
            renewalInfo: try verify(nested: data?.signedRenewalInfo, at: date, verify),
            appTransaction: try verify(nested: verified.claims.appData?.signedAppTransaction, at: date, verify))
    }

    private func verify<Claims>(
        nested jws: String?, at date: Date?,
        _ verify: (SignedData<Claims>, Date?) throws -> VerifiedData<Claims>
    ) throws -> VerifiedData<Claims>? {
        guard let jws else { return nil }
        let part = "the \(Claims.kind.rawValue) in the notification"
        let signed = try VerificationError.wrap {
            do { return try SignedData<Claims>(jws) } catch let problem as MalformedInput { throw problem.inside(part) }
        }
        return try verify(signed, date)
    }

    private func verify<Claims>(
        _ data: SignedData<Claims>, at date: Date?, _ checkApp: (Claims) throws -> Void
    ) throws -> VerifiedData<Claims> {
        let claims = data.unverifiedClaims
        let now = now()
        let chain = try VerificationError.wrap {
            let isLocal = claims.environment?.isLocalTesting ?? false
            if isLocal {
                try check(claims.environment)
                try checkLocally(data.jws)
            }
            let chain = isLocal ? nil : try checkSignature(data.jws, at: now)
            // Before the dates, which are read in other claims where the kind is another one.
            if let kind = data.tellingKind, kind != Claims.kind {
                throw Refusal.kindMismatch(found: kind, expected: Claims.kind)
            }
            try chain?.checkValidity(at: date ?? claims.signedDate ?? now)
            try checkApp(claims)
            try check(claims.environment)
            return chain
        }
        return VerifiedData(
            claims: claims, jwsRepresentation: data.jwsRepresentation,
            validationDate: chain == nil ? nil : date ?? claims.signedDate ?? now, chain: chain)
    }

    private func check(_ environment: StoreEnvironment?) throws {
        guard environments.accept(environment) else { throw Refusal.environmentNotAccepted(environment) }
    }

    private func check(bundleIdentifier found: String?) throws {
        if let bundleIdentifier, found != bundleIdentifier {
            throw Refusal.bundleIdentifierMismatch(found: found, expected: bundleIdentifier)
        }
    }

    private func check(appAppleID found: Int64?, in environment: StoreEnvironment?) throws {
        if let appAppleID, environment == .production, found != appAppleID {
            throw Refusal.appAppleIDMismatch(found: found, expected: appAppleID)
        }
    }
}

extension SignedDataVerifier {
    /// Checks a JWS as far as can be without decoding its claims: signature, chain, and validity at a date.
    ///
    /// - Throws: ``VerificationError``.
    package func checkSignature(ofJWS text: String, at date: Date) throws {
        try VerificationError.wrap { try checkSignature(CompactJWS(text), at: date).checkValidity(at: date) }
    }

    /// Checks the signature and the chain that it leads to.
    private func checkSignature(_ jws: CompactJWS, at now: Date) throws -> CertificateChain {
        let chain = try chains.chain(for: jws.bytes.span.extracting(jws.header), signedBy: Span(), at: now) {
            let header = try jws.decodeHeader()
            guard header.alg == "ES256" else { throw Refusal.algorithmNotAllowed(header.alg ?? "none") }
            guard header.crit == nil else { throw Refusal.unknownCriticalHeader }
            guard header.x5c?.count == 3 else { throw Refusal.chainLength(header.x5c?.count ?? 0) }
            // The third is the root, which is not believed for being there: ours are.
            return try CertificateChain(
                from: try header.certificate(0), through: [try header.certificate(1)],
                to: roots, for: .signedData)
        }
        try Self.checkSignature(jws, by: chain.leafKey)
        return chain
    }

    /// Checks data that claim to be made on a developer's machine: with the certificate that they bring, if any.
    private func checkLocally(_ jws: CompactJWS) throws {
        let header = try jws.decodeHeader()
        guard header.x5c?.isEmpty == false else { return }
        let signer = try header.certificate(0)
        guard signer.keyType == .p256, let key = try? signer.makePublicKey() else {
            throw Refusal.certificateAlgorithmNotAllowed(.leaf)
        }
        try Self.checkSignature(jws, by: key)
    }

    private static func checkSignature(_ jws: CompactJWS, by key: PublicKey) throws {
        let signedPart = jws.bytes.span.extracting(jws.signedPart)
        guard key.isValid(jws.signature.span, .jws, over: signedPart, .sha256) else { throw Refusal.signatureMismatch }
    }
}
