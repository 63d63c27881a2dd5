import Foundation

extension StoreManager {
    // MARK: Buying with closures

    /// Buys a product that the cache has.
    ///
    /// `onSuccess` is always written out, even as nil; see ``PurchaseHandlers`` for what each closure is told and what happens
    /// where it is nil.
    ///
    /// - Returns: the token of the purchase. Nil: the product is not in the cache; nothing was started, nobody is called.
    @discardableResult
    public func purchaseProduct(
        withIdentifier identifier: String,
        options: PurchaseOptions = PurchaseOptions(),
        onSuccess: (@MainActor (StoreTransaction) -> Void)?,
        onRestore: (@MainActor (StoreTransaction) -> Void)? = nil,
        onFailure: (@MainActor (StoreTransaction?, StoreError) -> Void)? = nil,
        onCancel: (@MainActor () -> Void)? = nil,
        onDefer: (@MainActor () -> Void)? = nil,
        onVerify: (@MainActor (StoreTransaction) -> Void)? = nil
    ) -> RequestToken? {
        purchaseProduct(
            withIdentifier: identifier, options: options,
            handlers: PurchaseHandlers(
                onSuccess: onSuccess, onRestore: onRestore, onFailure: onFailure, onCancel: onCancel, onDefer: onDefer,
                onVerify: onVerify))
    }

    /// Buys a product that the caller keeps, cached or not. See ``PurchaseHandlers`` for the closures.
    ///
    /// - Returns: the token of the purchase. Whatever is wrong with the purchase is told to `onFailure` later.
    @discardableResult
    public func purchase(
        _ product: StoreProduct,
        options: PurchaseOptions = PurchaseOptions(),
        onSuccess: (@MainActor (StoreTransaction) -> Void)?,
        onRestore: (@MainActor (StoreTransaction) -> Void)? = nil,
        onFailure: (@MainActor (StoreTransaction?, StoreError) -> Void)? = nil,
        onCancel: (@MainActor () -> Void)? = nil,
        onDefer: (@MainActor () -> Void)? = nil,
        onVerify: (@MainActor (StoreTransaction) -> Void)? = nil
    ) -> RequestToken {
        purchase(
            product, options: options,
            handlers: PurchaseHandlers(
                onSuccess: onSuccess, onRestore: onRestore, onFailure: onFailure, onCancel: onCancel, onDefer: onDefer,
                onVerify: onVerify))
    }

    /// Buys a product that the cache has, with a set of closures. Nil: it is not in the cache, and nothing was started.
    @discardableResult
    public func purchaseProduct(
        withIdentifier identifier: String, options: PurchaseOptions = PurchaseOptions(), handlers: PurchaseHandlers
    ) -> RequestToken? {
        cache[identifier].map { purchase($0, options: options, handlers: handlers) }
    }

    /// Buys a product that the caller keeps, with a set of closures.
    @discardableResult
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(), handlers: PurchaseHandlers
    ) -> RequestToken {
        begin(product, options, receiver: .handlers(handlers))
    }

    // MARK: Buying with a delegate

    /// Buys a product that the cache has, for a delegate, which is held weakly. Should it be gone by then the transaction goes
    /// to the default receiver. Nil: the product is not in the cache, and nothing was started.
    @discardableResult
    public func purchaseProduct(
        withIdentifier identifier: String, options: PurchaseOptions = PurchaseOptions(), delegate: any PurchaseDelegate
    ) -> RequestToken? {
        cache[identifier].map { purchase($0, options: options, delegate: delegate) }
    }

    /// Buys a product that the caller keeps, for a delegate, which is held weakly.
    @discardableResult
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(), delegate: any PurchaseDelegate
    ) -> RequestToken {
        begin(product, options, receiver: .delegate(WeakPurchaseDelegate(object: delegate)))
    }

    // MARK: Going on with what was begun in the store

    /// Goes on with a purchase that somebody began on the app's page in the store, by the store's own payment. Without closures
    /// the transaction goes to the default receiver.
    @discardableResult
    public func resume(_ intent: StorePurchaseIntent, handlers: PurchaseHandlers = PurchaseHandlers()) -> RequestToken {
        begin(intent.product, PurchaseOptions(), receiver: .handlers(handlers), intent: intent)
    }

    // MARK: How it is done

    func begin(
        _ product: StoreProduct, _ options: PurchaseOptions, receiver: PurchaseReceiver,
        intent: StorePurchaseIntent? = nil
    ) -> RequestToken {
        startObserving()
        let token = makeToken(.purchase)
        let payment = StorePayment(
            token: token, product: product, options: options.withOneUser(for: backend.capabilities), intent: intent)
        let order = TransactionTable.PurchaseOrder(payment: payment, date: clock.now)
        purchases[token] = receiver.withoutVerifier
        transactions.add(
            TransactionTable.Entry(
                lifecycle: TransactionLifecycle(origin: .request, finishesManually: finishing == .manual), owner: token,
                order: order, verifier: receiver.verifier.map { TransactionTable.Verifier(token: token, receiver: $0) },
                hadVerifyHandler: receiver.hasVerifyHandler),
            for: token)
        if backend.capabilities.tokenCarriage == .unlessDeferred { unanswered.add(DeferredPairing.Pending(order)) }
        if let error = earlyError(in: payment) {
            post(.transaction(token, .failed(error, nil)))
        } else {
            remember(payment)
        }
        return token
    }

    /// What is wrong with a payment before the store hears of it.
    private func earlyError(in payment: StorePayment) -> StoreError? {
        let options = payment.options
        if !canMakePayments { return .paymentNotAllowed() }
        if options.quantity < 1 { return .invalidQuantity(options.quantity) }
        if let name = options.applicationUsername, backend.capabilities.requiresUUIDUsername {
            guard let user = UUID(uuidString: name) else { return .invalidUsername(name) }
            if user != options.appAccountToken { return .unsupported("an account token beside another user name") }
        }
        return options.offer.flatMap(earlyError)
    }

    private func earlyError(in offer: PurchaseOffer) -> StoreError? {
        if !backend.capabilities.offers.contains(offer.kind) { return .unsupported("\(offer.kind.rawValue) offers") }
        if case .promotional(let signature) = offer,
            signature.signature.isEmpty || Data(base64Encoded: signature.signature) == nil
        {
            return .invalidOffer(reason: "its signature is not base64")
        }
        return nil
    }

    /// Writes down what the purchase was started with, where it has to survive a relaunch, and then goes on.
    private func remember(_ payment: StorePayment) {
        guard persistence != nil, let pending = PendingPurchase(payment, startDate: clock.now) else {
            return submit(payment)
        }
        transactions[payment.token]?.pending = pending
        writeDown(pending, for: payment.token) { $0.submitUnlessDetached(payment) }
    }

    private func submitUnlessDetached(_ payment: StorePayment) {
        if purchases[payment.token] == nil { end(payment.token) } else { submit(payment) }
    }

    /// Asks the store to sell, unless an earlier transaction of the product is just being finished; then a little later.
    private func submit(_ payment: StorePayment) {
        let product = payment.product.id
        guard gate.isClosed(for: product) else { return pay(payment) }
        gate.hold(payment)
        startTimer(after: Self.finishTimeout) { manager in
            if let payment = manager.gate.release(payment.token, of: product) { manager.pay(payment) }
        }
    }

    private func pay(_ payment: StorePayment) {
        if backend.capabilities.tokenCarriage == .never { queuePairing.add(payment) }
        backend.add(payment)
    }

    /// A transaction is finished, or taken away: the purchases that waited for it go on.
    func letPaymentsGoOn(after id: StoreTransaction.ID) {
        for payment in gate.open(for: id) { pay(payment) }
    }

    /// Takes a purchase's handlers away. What the store has not heard of yet, it will not hear of.
    func detachPurchase(_ token: RequestToken) {
        transactions.removeVerifiers(of: token)
        guard purchases.removeValue(forKey: token) != nil else { return }
        deferredPairing.remove(token)
        guard let entry = transactions[token] else { return }
        if let product = entry.order?.payment.product.id, gate.release(token, of: product) != nil {
            end(token)
        } else if entry.lifecycle.phase == .deferred {
            forgetDeferral(of: token)
        }
    }
}

extension PurchaseOptions {
    /// The options with user name and account token as the store gives them back: StoreKit 2 knows the token alone, StoreKit 1
    /// has one field for both.
    fileprivate func withOneUser(for capabilities: StoreBackendCapabilities) -> PurchaseOptions {
        var options = self
        if appAccountToken == nil, capabilities.requiresUUIDUsername || capabilities.tokenCarriage == .never {
            options.appAccountToken = applicationUsername.flatMap(UUID.init)
        }
        if applicationUsername == nil, capabilities.tokenCarriage == .never {
            options.applicationUsername = appAccountToken?.uuidString
        }
        return options
    }
}

extension PurchaseOffer {
    /// Which kind of offer it is.
    var kind: StoreBackendCapabilities.OfferKind {
        switch self {
        case .promotional: .promotional
        case .promotionalJWS: .promotionalJWS
        case .winBack: .winBack
        case .introductoryEligibility: .introductoryEligibility
        }
    }
}

extension PendingPurchase {
    /// What is kept of a payment for the transaction that may come without it; nil where it has no context.
    init?(_ payment: StorePayment, startDate: Date) {
        guard let context = payment.options.context else { return nil }
        self.init(
            productIdentifier: payment.product.id, appAccountToken: payment.options.appAccountToken,
            applicationUsername: payment.options.applicationUsername, context: context, startDate: startDate)
    }
}

extension DeferredPairing.Pending {
    /// What was asked of the store, as far as an answer can be told by it.
    init(_ order: TransactionTable.PurchaseOrder) {
        self.init(
            token: order.payment.token, productIdentifier: order.payment.product.id,
            appAccountToken: order.payment.options.appAccountToken, requestDate: order.date)
    }
}
