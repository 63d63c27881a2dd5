public import Foundation

/// What comes from the store besides products and purchases.
extension StoreManager {
    // MARK: The app receipt

    /// The app receipt, where the store keeps one (StoreKit 1).
    public var receiptData: Data? { backend.receiptData() }

    /// Asks the store for a new app receipt; the person may have to sign in. Those who ask at the same time share one refresh.
    ///
    /// - Throws: `StoreError`, `.cancelled` where the person did not sign in, or `CancellationError` when the task is cancelled.
    public func refreshReceipt() async throws {
        try Task.checkCancellation()
        startObserving()
        let reply = Reply<Void>()
        let isFirst = receiptReplies.isEmpty
        receiptReplies.append(reply)
        if isFirst { backend.refreshReceipt(for: makeToken(.receipt)) }
        try await withTaskCancellationHandler {
            try await reply.value
        } onCancel: {
            reply.resume(with: .failure(CancellationError()))
        }
    }

    /// The store renewed the receipt, or not.
    func receiveReceipt(_ error: StoreError?, for token: RequestToken) {
        let replies = receiptReplies
        receiptReplies = []
        for reply in replies { reply.resume(with: error.map { .failure($0) } ?? .success(())) }
        publish(error.map { .receiptRefreshFailed($0, token: token) } ?? .receiptRefreshed(token: token))
    }

    // MARK: Purchases that were begun in the store

    /// Somebody pressed "buy" in the store: the default receiver hears of it, now or when there is one.
    func receiveIntent(_ intent: StorePurchaseIntent) {
        guard knownIntents.insert(intent.id).inserted else { return }
        publish(.purchaseIntentReceived(intent))
        heldIntents.append(intent)
        offerHeldIntents()
    }

    /// Hands over the intents that came while nobody was there to hear of them.
    func offerHeldIntents() {
        while let intent = heldIntents.first, let receiver = defaultReceiver {
            heldIntents.removeFirst()
            receiver.receive(intent, from: self)
        }
    }
}

extension PurchaseReceiver {
    /// Hands over a purchase that was begun in the store. Where nobody decides it goes on.
    @MainActor
    fileprivate func receive(_ intent: StorePurchaseIntent, from manager: StoreManager) {
        switch self {
        case .handlers(let handlers):
            if let onPurchaseIntent = handlers.onPurchaseIntent {
                onPurchaseIntent(intent)
            } else {
                manager.resume(intent)
            }
        case .delegate(let delegate):
            delegate.object?.storeManager(manager, didReceive: intent)
        case .awaited:
            break
        }
    }
}
