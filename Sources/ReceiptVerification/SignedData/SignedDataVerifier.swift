public import Foundation
public import StoreManagerCore

/// Checks what the App Store signs as JWS: that Apple signed it, for this app, in an environment that is accepted.
///
/// The certificates are looked at as of the date when the data were signed, which is part of what was signed. Chains that were
/// found good are remembered for a quarter of an hour, so that the next datum costs one signature check.
/// The same verifier, or copies of it, may be used on any number of threads.
public struct SignedDataVerifier: Sendable {
    /// The app's bundle identifier; nil skips the check. Renewal infos do not name the app.
    public var bundleIdentifier: String?
    /// The App Store's number of the app, which only app transactions and notifications from production have; nil skips the
    /// check.
    public var appAppleID: Int64?
    /// The environments that data may be from.
    ///
    /// With `.xcode` or `.localTesting` among them, data that claim to be from there are accepted without a chain to a root:
    /// anybody can make such data, so never do so in an app that is shipped.
    public var environments: Set<StoreEnvironment>

    private let roots: TrustedRoots
    private let revocation: (any RevocationChecker)?
    private let now: @Sendable () -> Date
    private let chains = VerifiedChains()

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - roots: What chains may lead to.
    ///   - revocation: Asked whether the certificates were revoked; nil does without.
    ///   - now: The date now, as of which data without a date of their own are looked at.
    public init(
        bundleIdentifier: String?, appAppleID: Int64? = nil,
        environments: Set<StoreEnvironment> = [.production, .sandbox], roots: TrustedRoots = .apple,
        revocation: (any RevocationChecker)? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.appAppleID = appAppleID
        self.environments = environments
        self.roots = roots
        self.revocation = revocation
        self.now = now
    }

    /// Checks a transaction: bundle identifier and environment.
    ///
    /// - Parameter date: The date as of which the certificates are looked at; nil for when the data were signed.
    /// - Throws: ``VerificationError``.
    public func verify(_ transaction: SignedTransaction, at date: Date? = nil) async throws -> VerifiedTransaction {
        try await verify(transaction, at: date) { try check(bundleIdentifier: $0.bundleIdentifier) }
    }

    /// Checks a renewal info: environment.
    ///
    /// - Parameter date: The date as of which the certificates are looked at; nil for when the data were signed.
    /// - Throws: ``VerificationError``.
    public func verify(_ renewalInfo: SignedRenewalInfo, at date: Date? = nil) async throws -> VerifiedRenewalInfo {
        try await verify(renewalInfo, at: date) { _ in }
    }

    /// Checks the purchase of the app: bundle identifier, environment and, in production, the app's number.
    ///
    /// - Parameter date: The date as of which the certificates are looked at; nil for when the data were signed.
    /// - Throws: ``VerificationError``.
    public func verify(
        _ appTransaction: SignedAppTransaction, at date: Date? = nil
    ) async throws -> VerifiedAppTransaction {
        try await verify(appTransaction, at: date) {
            try check(bundleIdentifier: $0.bundleIdentifier)
            try check(appAppleID: $0.appAppleID, in: $0.environment)
        }
    }

    /// Checks a notification, and each JWS in it: bundle identifier, environment and, in production, the app's number.
    ///
    /// - Parameter date: The date as of which the certificates are looked at; nil for when the data were signed.
    /// - Throws: ``VerificationError``.
    public func verify(_ notification: SignedNotification, at date: Date? = nil) async throws -> VerifiedNotification {
        let verified = try await verify(notification, at: date) {
            try check(bundleIdentifier: $0.app?.bundleIdentifier)
            try check(appAppleID: $0.app?.appAppleID, in: $0.environment)
        }
        let data = verified.claims.data
        return VerifiedNotification(
            notification: verified,
            transaction: try await verify(nested: data?.signedTransaction, at: date, verify),
            renewalInfo: try await verify(nested: data?.signedRenewalInfo, at: date, verify),
            appTransaction: try await verify(nested: verified.claims.appData?.signedAppTransaction, at: date, verify))
    }

    private func verify<Claims>(
        nested jws: String?, at date: Date?,
        _ verify: (SignedData<Claims>, Date?) async throws -> VerifiedData<Claims>
    ) async throws -> VerifiedData<Claims>? {
        guard let jws else { return nil }
        let part = "the \(Claims.kind.rawValue) in the notification"
        let signed = try VerificationError.wrap {
            do { return try SignedData<Claims>(jws) } catch let problem as MalformedInput { throw problem.inside(part) }
        }
        return try await verify(signed, date)
    }

    private func verify<Claims>(
        _ data: SignedData<Claims>, at date: Date?, _ checkApp: (Claims) throws -> Void
    ) async throws -> VerifiedData<Claims> {
        let claims = data.unverifiedClaims
        let now = now()
        let chain = try VerificationError.wrap {
            let isLocal = claims.environment?.isLocalTesting ?? false
            if isLocal { try check(claims.environment) }
            let chain = try isLocal ? checkLocally(data.jws) : checkSignature(data.jws, at: now)
            try chain?.checkValidity(at: date ?? claims.signedDate ?? now)
            if let kind = data.tellingKind, kind != Claims.kind { throw Refusal.kindMismatch(found: kind) }
            try checkApp(claims)
            try check(claims.environment)
            return chain
        }
        if let chain { try await checkRevocation(of: chain, at: now) }
        return VerifiedData(
            claims: claims, jwsRepresentation: data.jwsRepresentation,
            validationDate: chain == nil ? nil : date ?? claims.signedDate ?? now, isFromLocalTesting: chain == nil)
    }

    private func check(_ environment: StoreEnvironment?) throws {
        guard let environment, environments.contains(environment) else {
            throw Refusal.environmentNotAccepted(environment)
        }
    }

    private func check(bundleIdentifier found: String?) throws {
        if let bundleIdentifier, found != bundleIdentifier { throw Refusal.bundleIdentifierMismatch(found: found) }
    }

    private func check(appAppleID found: Int64?, in environment: StoreEnvironment?) throws {
        if let appAppleID, environment == .production, found != appAppleID {
            throw Refusal.appAppleIDMismatch(found: found)
        }
    }
}

extension SignedDataVerifier {
    /// Checks the signature and the chain that it leads to.
    private func checkSignature(_ jws: CompactJWS, at now: Date) throws -> CertificateChain {
        let chain = try chains.chain(for: jws.bytes.span.extracting(jws.header), at: now) {
            let header = try jws.decodeHeader()
            guard header.alg == "ES256" else { throw Refusal.algorithmNotAllowed(header.alg ?? "none") }
            guard header.crit == nil else { throw Refusal.unknownCriticalHeader }
            let certificates = header.x5c ?? []
            guard certificates.count == 3 else { throw Refusal.chainLength(certificates.count) }
            // The third is the root, which is not believed for being there: ours are.
            return try CertificateChain(
                from: try Self.certificate(0, of: certificates), through: [try Self.certificate(1, of: certificates)],
                to: roots, for: .signedData)
        }
        try Self.checkSignature(jws, by: chain.leafKey)
        return chain
    }

    /// Checks data that claim to be made on a developer's machine: with the certificate that they bring, if any.
    private func checkLocally(_ jws: CompactJWS) throws -> CertificateChain? {
        let header = try jws.decodeHeader()
        guard let certificates = header.x5c, !certificates.isEmpty else { return nil }
        let signer = try Self.certificate(0, of: certificates)
        guard signer.keyType == .p256, let key = try? signer.makePublicKey() else {
            throw Refusal.certificateAlgorithmNotAllowed(.leaf)
        }
        try Self.checkSignature(jws, by: key)
        return nil
    }

    private static func checkSignature(_ jws: CompactJWS, by key: PublicKey) throws {
        let signedPart = jws.bytes.span.extracting(jws.signedPart)
        guard key.isValid(jws.signature.span, .jws, over: signedPart, .sha256) else { throw Refusal.signatureMismatch }
    }

    private static func certificate(_ index: Int, of certificates: [String]) throws -> Certificate {
        do {
            return try Certificate(try Base64.decode(ContiguousArray(certificates[index].utf8), .standard))
        } catch let problem as MalformedInput {
            throw problem.inside("certificate \(index + 1) of x5c")
        }
    }

    /// Asks whether the leaf and the intermediate certificate were revoked.
    private func checkRevocation(of chain: CertificateChain, at now: Date) async throws {
        guard let revocation else { return }
        for (link, issuer) in zip(chain.links, chain.links.dropFirst()) {
            let status: RevocationStatus
            do {
                status = try await revocation.status(
                    of: Data(link.certificate.encoding), issuedBy: Data(issuer.certificate.encoding), at: now)
            } catch {
                throw VerificationError.undecided(error)
            }
            if status == .revoked { throw VerificationError.refused(.certificateRevoked(link.role)) }
        }
    }
}
