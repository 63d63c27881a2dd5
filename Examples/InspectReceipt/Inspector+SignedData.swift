import Foundation
import ReceiptVerification
import StoreManagerCore

extension Inspector {
    /// Looks into a JWS.
    func inspect(jws data: Data, _ inspection: inout Inspection) throws {
        let text = String(decoding: data.trimmingLineBreaks, as: UTF8.self)
        let verifier = SignedDataVerifier(
            bundleIdentifier: checks.bundleIdentifier, appAppleID: checks.appAppleID,
            environments: checks.environments, roots: checks.roots)
        let date = checks.date
        let kind = try kind(of: text)
        switch kind {
        case .transaction:
            let signed = try SignedTransaction(text)
            inspection.purchases = [Inspection.Purchase(signed.unverifiedClaims)]
            inspection.bundle = signed.unverifiedClaims.bundleIdentifier
            inspect(signed, &inspection) { try verifier.verify($0, at: date) }
        case .renewalInfo, nil:
            inspect(try SignedRenewalInfo(text), &inspection) { try verifier.verify($0, at: date) }
        case .appTransaction:
            let signed = try SignedAppTransaction(text)
            inspection.bundle = signed.unverifiedClaims.bundleIdentifier
            inspect(signed, &inspection) { signed in
                let verified = try verifier.verify(signed, at: date)
                if let version = checks.applicationVersion, verified.applicationVersion != version {
                    throw VerificationError.refused(
                        .applicationVersionMismatch(found: verified.applicationVersion, expected: version))
                }
                return verified
            }
        case .notification:
            let signed = try SignedNotification(text)
            let claims = signed.unverifiedClaims
            inspection.bundle =
                claims.data?.bundleIdentifier ?? claims.summary?.bundleIdentifier
                ?? claims.externalPurchaseToken?.bundleIdentifier ?? claims.appData?.bundleIdentifier
            inspect(signed, &inspection) { try verifier.verify($0, at: date).notification }
            if let transaction = claims.data?.signedTransaction {
                let nested = try? SignedTransaction(transaction).unverifiedClaims
                inspection.purchases = nested.map { [Inspection.Purchase($0)] }
            }
        }
        inspection.checksNotMade = checksNotMade(
            for: kind, from: inspection.environment, isKindTold: try SignedDataKind(ofJWS: text) != nil)
        if kind == nil, inspection.verdict == .valid {
            inspection.verdict = .unable
            inspection.reason = "Genuine, but the claims do not tell what kind of data it is; say which with --kind."
        }
    }

    /// The kind that was asked for, else the one that the claims tell.
    private func kind(of jws: String) throws -> SignedDataKind? {
        if let kind = try checks.kind ?? SignedDataKind(ofJWS: jws) { return kind }
        // Of the two kinds that have an environment by this name, only one has a bundle identifier.
        let claims = try SignedTransaction(jws).unverifiedClaims
        if claims.bundleIdentifier != nil { return .transaction }
        return claims.environment == nil ? nil : .renewalInfo
    }

    private func inspect<Claims>(
        _ signed: SignedData<Claims>, _ inspection: inout Inspection,
        _ verify: (SignedData<Claims>) throws -> VerifiedData<Claims>
    ) {
        inspection.title = "JWS, \(Claims.kind.rawValue)"
        inspection.environment = signed.unverifiedClaims.environment?.rawValue
        inspection.purchases = inspection.purchases ?? []
        inspection.fields = Self.fields(of: signed.unverifiedClaims, named: "")
        inspection.certificates = (try? signed.unverifiedCertificates()) ?? []
        do {
            let verified = try verify(signed)
            inspection.verdict = .valid
            if verified.isFromLocalTesting {
                inspection.reason = Self.localTestingNote + " No root vouches for it: anybody can make such data."
            }
        } catch {
            inspection.conclude(error, decoded: true)
        }
    }

    private func checksNotMade(
        for kind: SignedDataKind?, from environment: String?, isKindTold: Bool
    ) -> [String] {
        let environment = environment.map(StoreEnvironment.init(rawValue:))
        let name = kind?.rawValue ?? "this kind of data"
        let hasBundle = kind != .renewalInfo && kind != nil
        let hasNumber = kind == .appTransaction || kind == .notification
        return [
            hasBundle
                ? checks.bundleIdentifier == nil ? "bundle identifier (--bundle)" : nil
                : "bundle identifier: \(name) has none",
            checks.environment == nil ? "environment (--environment)" : nil,
            hasNumber ? checks.appAppleID == nil ? "app number (--app-id)" : nil : "app number: \(name) has none",
            hasNumber && checks.appAppleID != nil && environment != .production
                ? "app number: \(name) has one only in production" : nil,
            isKindTold ? nil : "kind: the claims do not tell",
            environment?.isLocalTesting == true ? "dates and chain: no root vouches for data of local testing" : nil,
            kind == .appTransaction
                ? checks.applicationVersion == nil ? "version (--version)" : nil : "version: \(name) has none",
            "device: only receipts are bound to an identifier that --device could give",
            "revocation: nobody is asked over the network",
        ].compactMap(\.self)
    }

    /// Everything that some claims tell, by the names of the properties.
    private static func fields(of value: Any, named name: String) -> [(name: String, value: String)] {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.flatMap { fields(of: $0.value, named: name) }
        }
        switch value {
        case let date as Date: return [(name, date.readable)]
        case let value as any RawRepresentable: return [(name, "\(value.rawValue)")]
        case let value as any CustomStringConvertible: return [(name, value.description)]
        default:
            return mirror.children.flatMap { label, value in
                fields(of: value, named: [name, (label ?? "").words].filter { !$0.isEmpty }.joined(separator: ", "))
            }
        }
    }
}

extension Inspection.Purchase {
    fileprivate init(_ claims: TransactionClaims) {
        self.init(
            product: claims.productIdentifier, transaction: claims.transactionIdentifier,
            originalTransaction: claims.originalTransactionIdentifier, quantity: claims.quantity,
            purchased: claims.purchaseDate, expires: claims.expirationDate, revoked: claims.revocationDate)
    }
}

extension String {
    /// The words of a name like `appAppleID`: `app apple ID`.
    fileprivate var words: String {
        replacing(/([a-z])([A-Z])/) { "\($0.1) \($0.2)" }.split(separator: " ")
            .map { $0.allSatisfy(\.isUppercase) ? String($0) : $0.lowercased() }.joined(separator: " ")
    }
}
