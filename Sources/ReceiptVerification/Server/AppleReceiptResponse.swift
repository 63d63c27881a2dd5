public import Foundation
public import StoreManagerCore

/// What Apple's `verifyReceipt` answered (https://developer.apple.com/documentation/appstorereceipts/responsebody).
///
/// It is worth as much as the way it came: an ``AppleReceiptValidator`` has it from Apple itself. Apple sends numbers and truth
/// values now as such, now as text; both are read. Fields that are not known here remain in ``body``.
public struct AppleReceiptResponse: Hashable, Sendable {
    /// The verdict.
    public let status: AppleReceiptStatus
    /// Where the receipt is from; nil where the answer does not tell.
    public let environment: StoreEnvironment?
    /// The decoded receipt; nil where the verdict is none, and in the parts of other answers that have this form.
    ///
    /// Answers in the style of iOS 6 hold the one purchase that was asked about, which here is among the receipt's purchases.
    public let receipt: ReceiptContents?
    /// The transactions of subscriptions as of now, the newest first: more than the receipt has, which knows what it knew when it
    /// was made. Apple sends them where the shared secret was given.
    public let latestPurchases: [InAppPurchase]
    /// The newest receipt; it belongs with ``latestPurchases``.
    public let latestReceipt: Data?
    /// What is known of the next renewals, one for each subscription.
    public let pendingRenewals: [RenewalInfoClaims]
    /// When Apple was asked.
    public let requestDate: Date?
    /// Whether asking again is of use, with a status of ``AppleReceiptStatus/internalErrors``.
    public let isRetryable: Bool?
    /// The answer as it came, JSON.
    public let body: Data

    /// Reads an answer.
    ///
    /// - Throws: ``MalformedInput`` where it is no JSON object with a status, or a purchase in it has no product or transaction.
    ///   The problem names the place as a key path.
    public init(data: Data) throws {
        self = try MalformedInput.wrapJSON(data) {
            try AppleReceiptResponse(JSONDecoder().decode(LenientObject.self, from: data), body: data)
        }
    }

    private init(_ answer: LenientObject, body: Data) throws {
        let status = try answer.requiredInteger("status")
        self.status = AppleReceiptStatus(rawValue: Int(clamping: status))
        environment = answer.text("environment").map(StoreEnvironment.init(rawValue:))
        let receipt = try answer.object("receipt")
        self.receipt = try receipt.map(ReceiptContents.init)
        // The older style has one object for each of these, and a name of its own for what has ended.
        latestPurchases = try ["latest_receipt_info", "latest_expired_receipt_info"]
            .flatMap { try answer.objects($0).map(InAppPurchase.init) }
        latestReceipt = answer.text("latest_receipt").flatMap { Data(base64Encoded: $0) }
        let renewals = try answer.objects("pending_renewal_info")
        pendingRenewals = (renewals.isEmpty && answer.contains("auto_renew_status") ? [answer] : renewals)
            .map(RenewalInfoClaims.init)
        requestDate = receipt?.date("request_date")
        isRetryable = answer.flag("is-retryable")
        self.body = body
    }

    /// Each purchase that the answer tells of once, by its newest word.
    public var purchases: [InAppPurchase] {
        let newest = Set(latestPurchases.map(\.transactionIdentifier))
        return latestPurchases + (receipt?.purchases ?? []).filter { !newest.contains($0.transactionIdentifier) }
    }
}

extension ReceiptContents {
    /// Reads the receipt in Apple's answer, in either style.
    fileprivate init(_ receipt: LenientObject) throws {
        self.init()
        receiptType = receipt.text("receipt_type")
        appAppleID = receipt.integer("adam_id")
        bundleIdentifier = receipt.text("bundle_id") ?? receipt.text("bid")
        applicationVersion = receipt.text("application_version") ?? receipt.text("bvrs")
        creationDate = receipt.date("receipt_creation_date")
        originalPurchaseDate = receipt.date("original_purchase_date")
        originalApplicationVersion = receipt.text("original_application_version")
        expirationDate = receipt.date("expiration_date")
        preorderDate = receipt.date("preorder_date")
        downloadID = receipt.integer("download_id")
        versionExternalIdentifier = receipt.integer("version_external_identifier")
        purchases = try receipt.objects("in_app").map(InAppPurchase.init)
        if receipt.contains("bid"), receipt.contains("transaction_id") {
            purchases.append(try InAppPurchase(receipt))
            // In this style it is the purchase's, not the app's.
            originalPurchaseDate = nil
        }
    }
}

extension InAppPurchase {
    /// Reads a purchase in Apple's answer.
    fileprivate init(_ purchase: LenientObject) throws {
        self.init(
            productIdentifier: try purchase.requiredText("product_id"),
            transactionIdentifier: try purchase.requiredText("transaction_id"),
            purchaseDate: purchase.date("purchase_date"))
        quantity = purchase.integer("quantity").map { Int(clamping: $0) } ?? 1
        originalTransactionIdentifier = purchase.text("original_transaction_id")
        originalPurchaseDate = purchase.date("original_purchase_date")
        expirationDate = purchase.date("expires_date")
        cancellationDate = purchase.date("cancellation_date")
        cancellationReason = purchase.integer("cancellation_reason").map { Int(clamping: $0) }
        webOrderLineItemID = purchase.integer("web_order_line_item_id")
        isTrialPeriod = purchase.flag("is_trial_period")
        isInIntroductoryOfferPeriod = purchase.flag("is_in_intro_offer_period")
        promotionalOfferIdentifier = purchase.text("promotional_offer_id")
        offerCodeReferenceName = purchase.text("offer_code_ref_name")
        subscriptionGroupIdentifier = purchase.text("subscription_group_identifier")
        ownershipType = purchase.text("in_app_ownership_type").map(InAppOwnershipType.init(rawValue:))
        isUpgraded = purchase.flag("is_upgraded")
        appAccountToken = purchase.text("app_account_token").flatMap(UUID.init(uuidString:))
    }
}

extension RenewalInfoClaims {
    /// Reads what is known of a renewal in Apple's answer.
    fileprivate init(_ renewal: LenientObject) {
        self.init()
        originalTransactionIdentifier = renewal.text("original_transaction_id")
        autoRenewProductIdentifier = renewal.text("auto_renew_product_id")
        productIdentifier = renewal.text("product_id")
        autoRenewStatus = renewal.integer("auto_renew_status").map { AutoRenewStatus(rawValue: Int(clamping: $0)) }
        expirationIntent = renewal.integer("expiration_intent").map { ExpirationIntent(rawValue: Int(clamping: $0)) }
        isInBillingRetryPeriod = renewal.flag("is_in_billing_retry_period")
        gracePeriodExpirationDate = renewal.date("grace_period_expires_date")
        priceIncreaseStatus = (renewal.integer("price_increase_status") ?? renewal.integer("price_consent_status"))
            .map { PriceIncreaseStatus(rawValue: Int(clamping: $0)) }
        if let offer = renewal.text("promotional_offer_id") {
            (offerType, offerIdentifier) = (.promotional, offer)
        } else if let code = renewal.text("offer_code_ref_name") {
            (offerType, offerIdentifier) = (.code, code)
        }
    }
}
