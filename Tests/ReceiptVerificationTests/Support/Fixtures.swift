import Foundation
import ReceiptVerification
import StoreManagerCore

/// What the tests sign for themselves.
enum Fixtures {
    /// One signer for all tests, since its keys take time to make.
    static let signer = makeSigner()
    /// Another one, whom nobody trusts.
    static let stranger = makeSigner()

    static let bundleIdentifier = "com.example.app"
    static let device = Data((0..<16).map { UInt8($0) })
    /// A Saturday, at noon.
    static let date = Date(timeIntervalSince1970: 1_706_356_800)

    /// A receipt with a subscription and a consumable.
    static var receipt: ReceiptContents {
        var contents = ReceiptContents()
        contents.receiptType = "Production"
        contents.appAppleID = 1_234_567_890
        contents.bundleIdentifier = bundleIdentifier
        contents.applicationVersion = "7"
        contents.creationDate = date
        contents.originalApplicationVersion = "1"
        contents.purchases = [
            purchase("com.example.coins", "100", from: date),
            purchase("com.example.pro", "101", from: date, until: date + 3600),
        ]
        return contents
    }

    static func purchase(
        _ product: String, _ transaction: String, from start: Date, until end: Date? = nil, cancelled: Date? = nil
    ) -> InAppPurchase {
        var purchase = InAppPurchase(
            productIdentifier: product, transactionIdentifier: transaction, purchaseDate: start)
        purchase.originalTransactionIdentifier = "100"
        purchase.originalPurchaseDate = start
        purchase.expirationDate = end
        purchase.cancellationDate = cancelled
        return purchase
    }

    static func receiptVerifier(
        bundleIdentifier: String? = bundleIdentifier, applicationVersion: String? = nil, appAppleID: Int64? = nil,
        device: Data? = nil, environments: Set<StoreEnvironment> = [.production, .sandbox], now: Date = date
    ) -> AppReceiptVerifier {
        AppReceiptVerifier(
            bundleIdentifier: bundleIdentifier, applicationVersion: applicationVersion, appAppleID: appAppleID,
            deviceIdentifier: device, environments: environments, roots: signer.roots, now: { now })
    }

    static func dataVerifier(
        bundleIdentifier: String? = bundleIdentifier, appAppleID: Int64? = nil,
        environments: Set<StoreEnvironment> = [.production, .sandbox], now: Date = date
    ) -> SignedDataVerifier {
        SignedDataVerifier(
            bundleIdentifier: bundleIdentifier, appAppleID: appAppleID, environments: environments,
            roots: signer.roots, now: { now })
    }

    static var transaction: TransactionClaims {
        var claims = TransactionClaims()
        claims.transactionIdentifier = "101"
        claims.originalTransactionIdentifier = "100"
        claims.bundleIdentifier = bundleIdentifier
        claims.productIdentifier = "com.example.pro"
        claims.purchaseDate = date
        claims.expirationDate = date + 3600
        claims.signedDate = date
        claims.environment = .production
        claims.productType = .autoRenewable
        claims.appAccountToken = UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138")
        return claims
    }

    static var renewalInfo: RenewalInfoClaims {
        var claims = RenewalInfoClaims()
        claims.originalTransactionIdentifier = "100"
        claims.productIdentifier = "com.example.pro"
        claims.autoRenewProductIdentifier = "com.example.pro"
        claims.autoRenewStatus = .on
        claims.signedDate = date
        claims.environment = .production
        return claims
    }

    static var appTransaction: AppTransactionClaims {
        var claims = AppTransactionClaims()
        claims.bundleIdentifier = bundleIdentifier
        claims.receiptType = .production
        claims.appAppleID = 1_234_567_890
        claims.creationDate = date
        claims.originalPlatform = .iOS
        return claims
    }

    static func notification(_ data: NotificationClaims.SubscriptionData? = nil) -> NotificationClaims {
        var data = data ?? NotificationClaims.SubscriptionData()
        data.bundleIdentifier = bundleIdentifier
        data.environment = .production
        data.appAppleID = 1_234_567_890
        var claims = NotificationClaims()
        claims.type = .didRenew
        claims.subtype = .billingRecovery
        claims.uuid = "002e14d5-51f5-4503-b5a8-c3a1af68eb20"
        claims.signedDate = date
        claims.data = data
        return claims
    }

    private static func makeSigner() -> TestSigner {
        do {
            return try TestSigner()
        } catch {
            preconditionFailure("No keys can be made: \(error)")
        }
    }
}

/// The rule that something was refused for; nil where it was not, or could not be read.
func refusal<Value>(_ check: () async throws -> Value) async -> Refusal? {
    do {
        _ = try await check()
        return nil
    } catch VerificationError.refused(let refusal) {
        return refusal
    } catch {
        return nil
    }
}

/// What was wrong with something that could not be read; nil where it could.
func malformation<Value>(_ check: () async throws -> Value) async -> MalformedInput? {
    do {
        _ = try await check()
        return nil
    } catch VerificationError.malformed(let problem) {
        return problem
    } catch {
        return error as? MalformedInput
    }
}
