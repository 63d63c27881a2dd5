import Foundation
import StoreManagerCore

/// What the payload of a signed transaction says, under the names of Apple's `JWSTransaction`.
struct TransactionClaims: Encodable {
    var transactionId: String
    var originalTransactionId: String
    var webOrderLineItemId: String?
    var bundleId: String
    var productId: String
    var subscriptionGroupIdentifier: String?
    var purchaseDate: Int64
    var originalPurchaseDate: Int64
    var expiresDate: Int64?
    var quantity: Int
    var type: String
    var appAccountToken: String?
    var inAppOwnershipType: String
    var signedDate: Int64
    var revocationDate: Int64?
    var revocationReason: Int?
    var isUpgraded: Bool?
    var offerType: Int?
    var offerIdentifier: String?
    var offerDiscountType: String?
    var offerPeriod: String?
    var environment: String
    var transactionReason: String
    var storefront: String
    var storefrontId: String
    var price: Int64?
    var currency: String?
    var appTransactionId: String
    var deviceVerification: String
    var deviceVerificationNonce: String

    init(_ transaction: StoreTransaction, offerPeriod: StoreSubscriptionPeriod?, app: AppIdentity, nonce: UUID) {
        transactionId = transaction.id
        originalTransactionId = transaction.originalID
        webOrderLineItemId = transaction.productType == .autoRenewable ? transaction.id : nil
        bundleId = app.bundleID
        productId = transaction.productIdentifier
        subscriptionGroupIdentifier = transaction.subscriptionGroupID
        purchaseDate = transaction.purchaseDate.milliseconds
        originalPurchaseDate = transaction.originalPurchaseDate.milliseconds
        expiresDate = transaction.expirationDate?.milliseconds
        quantity = transaction.quantity
        type = Product.ProductType(transaction.productType).rawValue
        appAccountToken = transaction.appAccountToken?.uuidString.lowercased()
        inAppOwnershipType = transaction.ownership == .purchased ? "PURCHASED" : "FAMILY_SHARED"
        signedDate = (transaction.signedDate ?? transaction.purchaseDate).milliseconds
        revocationDate = transaction.revocationDate?.milliseconds
        revocationReason = transaction.revocationReason?.rawValue
        isUpgraded = transaction.isUpgraded ? true : nil
        let offer = transaction.offer.map { Transaction.Offer($0, period: offerPeriod) }
        offerType = offer?.type.rawValue
        offerIdentifier = offer?.id
        offerDiscountType = offer?.paymentMode?.rawValue
        self.offerPeriod = offerPeriod?.iso8601
        environment = AppStore.Environment(transaction.environment).rawValue
        transactionReason = transaction.reason == .purchase ? "PURCHASE" : "RENEWAL"
        storefront = transaction.storefrontCountryCode ?? ""
        storefrontId = storefront
        price = transaction.price?.milliunits
        currency = transaction.currencyCode
        appTransactionId = app.appTransactionID
        deviceVerification = ""
        deviceVerificationNonce = nonce.uuidString.lowercased()
    }
}

/// What the payload of a signed renewal info says, under the names of Apple's `JWSRenewalInfo`.
struct RenewalClaims: Encodable {
    var originalTransactionId: String
    var productId: String
    var autoRenewProductId: String?
    var autoRenewStatus: Int
    var expirationIntent: Int?
    var isInBillingRetryPeriod: Bool
    var priceIncreaseStatus: Int?
    var gracePeriodExpiresDate: Int64?
    var recentSubscriptionStartDate: Int64?
    var renewalDate: Int64?
    var renewalPrice: Int64?
    var currency: String?
    var offerType: Int?
    var offerIdentifier: String?
    var offerDiscountType: String?
    var offerPeriod: String?
    var eligibleWinBackOfferIds: [String]?
    var appAccountToken: String?
    var appTransactionId: String
    var environment: String
    var signedDate: Int64
    var deviceVerification: String
    var deviceVerificationNonce: String

    init(_ info: StoreRenewalInfo, offerPeriod: StoreSubscriptionPeriod?, app: AppIdentity, nonce: UUID) {
        originalTransactionId = info.originalTransactionID
        productId = info.currentProductIdentifier
        autoRenewProductId = info.autoRenewPreference
        autoRenewStatus = info.willAutoRenew ? 1 : 0
        expirationIntent = info.expirationReason?.rawValue
        isInBillingRetryPeriod = info.isInBillingRetry
        priceIncreaseStatus =
            switch info.priceIncreaseStatus {
            case .noIncreasePending: nil
            case .pending: 0
            case .agreed: 1
            }
        gracePeriodExpiresDate = info.gracePeriodExpirationDate?.milliseconds
        recentSubscriptionStartDate = info.recentSubscriptionStartDate?.milliseconds
        renewalDate = info.renewalDate?.milliseconds
        renewalPrice = info.renewalPrice?.milliunits
        currency = info.currencyCode
        let offer = info.offer.map { Transaction.Offer($0, period: offerPeriod) }
        offerType = offer?.type.rawValue
        offerIdentifier = offer?.id
        offerDiscountType = offer?.paymentMode?.rawValue
        self.offerPeriod = offerPeriod?.iso8601
        eligibleWinBackOfferIds = info.eligibleWinBackOfferIDs.isEmpty ? nil : info.eligibleWinBackOfferIDs
        appAccountToken = info.appAccountToken?.uuidString.lowercased()
        appTransactionId = app.appTransactionID
        environment = AppStore.Environment(info.environment).rawValue
        signedDate = (info.signedDate ?? .distantPast).milliseconds
        deviceVerification = ""
        deviceVerificationNonce = nonce.uuidString.lowercased()
    }
}

/// What the payload of a signed app transaction says, under the names of Apple's `AppTransaction`.
struct AppClaims: Encodable, Hashable, Sendable {
    var receiptType = "Xcode"
    var bundleId: String
    var applicationVersion: String
    var originalApplicationVersion: String
    var originalPurchaseDate: Int64
    var receiptCreationDate: Int64
    var requestDate: Int64
    var appTransactionId: String
    var originalPlatform = "macOS"
    var deviceVerification = ""
    var deviceVerificationNonce: String
}

/// What signed data says of the app that runs.
struct AppIdentity: Sendable {
    /// The bundle identifier, or the name of the process where there is no bundle.
    var bundleID = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    /// The version in the bundle; 1.0 where there is none.
    var version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "1.0"
    /// The identifier of the download of the app.
    var appTransactionID = "1"
}

extension Date {
    /// Milliseconds since 1970, as signed data counts them.
    var milliseconds: Int64 {
        let value = (timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

extension Decimal {
    /// A price in thousandths, as signed data counts it.
    fileprivate var milliunits: Int64 { NSDecimalNumber(decimal: self * 1_000).int64Value }
}
