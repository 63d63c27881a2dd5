public import Foundation
public import StoreManagerCore

/// What a purchase outside the app may say beyond the product, as in Xcode's transaction manager.
public struct OutsidePurchaseOptions: Hashable, Sendable {
    /// How many, from 1 to 10; of what is owned once and for all, or renews, 1.
    public var quantity = 1
    /// Ties the purchase to an account of the app's own.
    public var appAccountToken: UUID?
    /// A reduced price.
    public var offer: Offer?
    /// When it was bought; nil is now. The future is an error, and so is a date on which the account's subscription of the group
    /// was not yet what it is.
    public var purchaseDate: Date?
    /// How a subscription with a date in the past goes on.
    public var renewalBehavior = StoreRenewalBehavior.renewUntilNow
    /// The billing plan of a subscription, by the name it has in the `.storekit` file; nil is up front.
    public var billingPlan: String?

    /// A reduced price that needs no signature.
    public enum Offer: Hashable, Sendable {
        /// A promotional offer, by its identifier.
        case promotional(id: String)
        /// A win-back offer, by its identifier.
        case winBack(id: String)
        /// An offer code, by the reference name of its offer.
        case code(referenceName: String)
    }

    /// One piece, now, at its price.
    public init() {}
}

extension SimulatedBackend {
    /// Buys a product outside the app; the transaction arrives unasked on every device that runs the app.
    ///
    /// - Returns: the transaction.
    /// - Throws: ``SimulatorError`` where it cannot be bought so.
    @discardableResult
    public func buyProduct(
        identifier: String, options: OutsidePurchaseOptions = OutsidePurchaseOptions()
    ) throws(SimulatorError) -> StoreTransaction {
        var request = PaymentRequest(productIdentifier: identifier)
        request.quantity = options.quantity
        request.appAccountToken = options.appAccountToken
        request.billingPlan = options.billingPlan
        request.offer = options.offer.map(RequestedOffer.init)
        let id = try store.attempt(
            .buyOutside(request, date: options.purchaseDate, options.renewalBehavior, account: accountIndex))
        guard let transaction = store.transaction(id) else { throw .noTransactionFound(String(id)) }
        return transaction
    }

    /// Presses "buy" on the app's page in the store: the app is told, and goes on with the purchase or not.
    ///
    /// - Throws: ``SimulatorError`` where there is no such product or offer.
    public func sendPurchaseIntent(productIdentifier: String, offerID: String? = nil) throws(SimulatorError) {
        try store.attempt(.sendIntent(product: productIdentifier, offerID: offerID, device: deviceIndex))
    }

    /// Redeems an offer code in the store's sheet; the transaction arrives unasked.
    ///
    /// - Throws: the ``StoreAPIFailure`` that the sheet shows, or ``SimulatorError`` where there is no such offer, or it is not
    ///   for this buyer.
    @discardableResult
    public func redeemOfferCode(referenceName: String, productIdentifier: String) throws -> StoreTransaction {
        if let failure = simulatedError(forAPI: .offerCodeRedeem) { throw failure }
        var options = OutsidePurchaseOptions()
        options.offer = .code(referenceName: referenceName)
        return try buyProduct(identifier: productIdentifier, options: options)
    }

    /// Asks for the money for a transaction in the store's sheet. It is given at once, unless
    /// ``StoreControls/declinesRefundRequests``.
    ///
    /// - Throws: the ``StoreAPIFailure`` that the sheet shows, or ``SimulatorError`` where there is no such transaction.
    public func beginRefundRequest(identifier: StoreTransaction.ID) throws {
        if let failure = simulatedError(forAPI: .refundRequest) { throw failure }
        let number = try number(identifier)
        if store.engine.history.record(of: number)?.details?.revocationDate != nil {
            throw StoreAPIFailure.refundRequest(.duplicateRequest)
        }
        try store.attempt(.requestRefund(number))
    }

    /// Switches a subscription's renewal on or off in the store's sheet.
    ///
    /// - Throws: the ``StoreAPIFailure`` that the sheet shows, or ``SimulatorError`` where there is no such subscription.
    public func manageSubscription(identifier: StoreTransaction.ID, renews: Bool) throws {
        if let failure = simulatedError(forAPI: .manageSubscriptions) { throw failure }
        try store.attempt(.setAutoRenew(number(identifier), isOn: renews))
    }
}

extension RequestedOffer {
    fileprivate init(_ offer: OutsidePurchaseOptions.Offer) {
        switch offer {
        case .promotional(let id): self = .unsigned(offerID: id)
        case .winBack(let id): self = .winBack(offerID: id)
        case .code(let name): self = .code(referenceName: name)
        }
    }
}
