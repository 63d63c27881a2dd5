public import Foundation
public import StoreManagerCore

/// Signs what a simulated store says as the App Store signs it for an app: give it to `SimulatedStore.signer`.
///
/// Transactions then carry a JWS, there is an app receipt, and both go through ``SignedDataVerifier`` and ``AppReceiptVerifier``
/// as Apple's do, with the ``roots`` given to the verifier. They never pass under Apple's roots.
public struct TestStoreSigner: StoreSigner, Sendable {
    /// The app's bundle identifier, as the data shall name it.
    public var bundleIdentifier: String
    /// The app's version, as receipts shall name it.
    public var applicationVersion: String
    /// Where all data shall claim to be from.
    ///
    /// The sandbox unless it is changed, since verifiers hold data from there against their roots. Data from `.xcode` are
    /// accepted from anybody, so that no test could find forged ones.
    public var environment: StoreEnvironment
    /// The device that receipts are issued to; nil leaves the device's hash out.
    public var deviceIdentifier: Data?
    /// Who signs the app's promotional offers, and so knows its own signatures; nil trusts every signature.
    public var offers: PromotionalOfferSigner?

    private let signer: TestSigner

    /// Makes a signer for an app, with new keys unless one is given.
    ///
    /// - Parameter signer: Holds the keys; several stores of one test may share it.
    /// - Throws: An error where the system refuses to make keys.
    public init(
        bundleIdentifier: String, applicationVersion: String = "1", environment: StoreEnvironment = .sandbox,
        deviceIdentifier: Data? = nil, offers: PromotionalOfferSigner? = nil, signer: TestSigner? = nil
    ) throws {
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.environment = environment
        self.deviceIdentifier = deviceIdentifier
        self.offers = offers
        self.signer = try signer ?? TestSigner()
    }

    /// The root to be trusted in tests.
    public var roots: TrustedRoots { signer.roots }

    /// Signs a transaction.
    public func jws(of transaction: StoreTransaction) -> String? {
        var claims = TransactionClaims(transaction)
        claims.bundleIdentifier = bundleIdentifier
        claims.environment = environment
        return try? signer.sign(claims)
    }

    /// Makes the app receipt that lists the transactions.
    public func receipt(of transactions: [StoreTransaction], at date: Date) -> Data? {
        var contents = ReceiptContents()
        contents.receiptType = environment == .sandbox ? "ProductionSandbox" : environment.rawValue
        contents.bundleIdentifier = bundleIdentifier
        contents.applicationVersion = applicationVersion
        contents.originalApplicationVersion = applicationVersion
        contents.creationDate = date
        contents.purchases = transactions.map(InAppPurchase.init)
        return try? signer.appReceipt(contents, deviceIdentifier: deviceIdentifier)
    }

    /// Signs claims that StoreKit made, once they say that they are from ``environment`` and for this app.
    public func jws(ofPayload payload: Data) -> String? {
        guard var claims = try? JSONSerialization.jsonObject(with: payload) as? [String: Any] else { return nil }
        let own = [
            "environment": environment.rawValue, "receiptType": environment.rawValue, "bundleId": bundleIdentifier,
        ]
        for (name, value) in own where claims[name] != nil { claims[name] = value }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: claims, options: options)).flatMap {
            try? signer.sign(payload: $0)
        }
    }

    /// Whether ``offers`` signed the offer for this product and account.
    public func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool {
        guard let offers else { return true }
        let account = payment.options.appAccountToken?.uuidString.lowercased() ?? payment.options.applicationUsername
        switch offer {
        case .promotional(let signature):
            return offers.isValid(signature, productIdentifier: payment.product.id, account: account ?? "")
        case .promotionalJWS(let offerID, let jws):
            return offers.isValid(jws: jws, offerID: offerID, productIdentifier: payment.product.id)
        case .winBack, .introductoryEligibility: return true
        }
    }
}

extension TransactionClaims {
    /// What a transaction says, but for the app and the environment.
    fileprivate init(_ transaction: StoreTransaction) {
        transactionIdentifier = transaction.id
        originalTransactionIdentifier = transaction.originalID
        productIdentifier = transaction.productIdentifier
        subscriptionGroupIdentifier = transaction.subscriptionGroupID
        productType = SignedProductType(transaction.productType)
        if productType == .autoRenewable { webOrderLineItemIdentifier = transaction.id }
        quantity = transaction.quantity
        purchaseDate = transaction.purchaseDate
        originalPurchaseDate = transaction.originalPurchaseDate
        expirationDate = transaction.expirationDate
        signedDate = transaction.signedDate ?? transaction.purchaseDate
        revocationDate = transaction.revocationDate
        revocationReason = transaction.revocationReason
        if transaction.isUpgraded { isUpgraded = true }
        appAccountToken = transaction.appAccountToken
        ownershipType = transaction.ownership == .purchased ? .purchased : .familyShared
        reason = transaction.reason == .purchase ? .purchase : .renewal
        offerType = transaction.offer.map { SignedOfferType($0.type) }
        offerIdentifier = transaction.offer?.id
        offerDiscountType = transaction.offer?.paymentMode.map(OfferDiscountType.init)
        storefront = transaction.storefrontCountryCode
        price = transaction.price.map { NSDecimalNumber(decimal: $0 * 1_000).int64Value }
        currency = transaction.currencyCode
    }
}

extension InAppPurchase {
    /// What a receipt says of a transaction.
    fileprivate init(_ transaction: StoreTransaction) {
        self.init(
            productIdentifier: transaction.productIdentifier, transactionIdentifier: transaction.id,
            purchaseDate: transaction.purchaseDate)
        quantity = transaction.quantity
        originalTransactionIdentifier = transaction.originalID
        originalPurchaseDate = transaction.originalPurchaseDate
        expirationDate = transaction.expirationDate
        // In a receipt, moving up to a better plan counts as cancelled.
        cancellationDate = transaction.revocationDate ?? (transaction.isUpgraded ? transaction.signedDate : nil)
        cancellationReason = transaction.revocationReason?.rawValue
        productType = ProductType(transaction.productType)
        webOrderLineItemID = transaction.productType == .autoRenewable ? Int64(transaction.id) : nil
        guard let offer = transaction.offer else { return }
        isTrialPeriod = offer.paymentMode == .freeTrial
        isInIntroductoryOfferPeriod = offer.type == .introductory && offer.paymentMode != .freeTrial
        promotionalOfferIdentifier = offer.type == .promotional ? offer.id : nil
    }
}

extension SignedProductType {
    fileprivate init?(_ type: StoreProductType) {
        switch type {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewable: self = .nonRenewable
        case .autoRenewable: self = .autoRenewable
        case .unknown: return nil
        }
    }
}

extension InAppPurchase.ProductType {
    fileprivate init?(_ type: StoreProductType) {
        switch type {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewable: self = .nonRenewable
        case .autoRenewable: self = .autoRenewable
        case .unknown: return nil
        }
    }
}

extension SignedOfferType {
    fileprivate init(_ type: StoreOfferType) {
        switch type {
        case .introductory: self = .introductory
        case .promotional: self = .promotional
        case .code: self = .code
        case .winBack: self = .winBack
        }
    }
}

extension OfferDiscountType {
    fileprivate init(_ mode: StoreOfferPaymentMode) {
        switch mode {
        case .freeTrial: self = .freeTrial
        case .payAsYouGo: self = .payAsYouGo
        case .payUpFront: self = .payUpFront
        case .oneTime: self = .oneTime
        }
    }
}
