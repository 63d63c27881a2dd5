/// Who hears of a purchase: a set of closures, a delegate that may be gone by then, or a task that awaits the end.
enum PurchaseReceiver {
    case handlers(PurchaseHandlers)
    case delegate(WeakPurchaseDelegate)
    case awaited(Reply<PurchaseOutcome>)

    /// Whether something that was bought can be handed over here.
    var canReceiveSuccess: Bool {
        switch self {
        case .handlers(let handlers): handlers.onSuccess != nil || handlers.onRestore != nil
        case .delegate(let delegate): delegate.object != nil
        case .awaited(let reply): reply.isOpen
        }
    }

    /// Whether a closure stands ready to verify.
    var hasVerifyHandler: Bool {
        if case .handlers(let handlers) = self { handlers.onVerify != nil } else { false }
    }

    /// What has to be kept of it to ask whether the transaction is genuine, once the purchase itself has ended.
    var verifier: PurchaseReceiver? {
        switch self {
        case .handlers(let handlers): handlers.onVerify.map { .handlers(PurchaseHandlers(onVerify: $0)) }
        case .delegate: self
        case .awaited: nil
        }
    }

    /// What is needed of it besides, so that a verify closure is released on its own.
    var withoutVerifier: PurchaseReceiver {
        guard case .handlers(var handlers) = self else { return self }
        handlers.onVerify = nil
        return .handlers(handlers)
    }

    /// Hands the outcome over. False: nobody here takes it.
    @MainActor
    func receive(_ outcome: TransactionOutcome, for token: RequestToken, from manager: StoreManager) -> Bool {
        switch self {
        case .handlers(let handlers): handlers.receive(outcome)
        case .delegate(let delegate): delegate.object?.receive(outcome, for: token, from: manager) ?? false
        case .awaited(let reply): reply.resume(with: outcome)
        }
    }

    /// Tells that the purchase waits for approval.
    @MainActor
    func announceDeferral(of token: RequestToken, from manager: StoreManager) {
        switch self {
        case .handlers(let handlers): handlers.onDefer?()
        case .delegate(let delegate): delegate.object?.storeManager(manager, didDefer: token)
        case .awaited(let reply): reply.resume(with: .success(.deferred(token)))
        }
    }

    /// Asks whether the transaction is genuine. False: there is nobody to ask here.
    @MainActor
    func ask(about transaction: StoreTransaction, for token: RequestToken, from manager: StoreManager) -> Bool {
        switch self {
        case .handlers(let handlers):
            guard let onVerify = handlers.onVerify else { return false }
            onVerify(transaction)
            return true
        case .delegate(let delegate):
            guard let object = delegate.object else { return false }
            object.storeManager(manager, needsVerification: transaction, for: token)
            return true
        case .awaited:
            return false
        }
    }
}

/// A delegate, held weakly.
struct WeakPurchaseDelegate {
    weak var object: (any PurchaseDelegate)?
}

extension PurchaseHandlers {
    /// Calls the closure that the outcome belongs to, or the one that stands in for it. False: there is neither.
    @MainActor
    fileprivate func receive(_ outcome: TransactionOutcome) -> Bool {
        switch outcome {
        case .purchased(let transaction):
            guard let onSuccess else { return false }
            onSuccess(transaction)
        case .restored(let transaction), .scheduled(let transaction):
            guard let receive = onRestore ?? onSuccess else { return false }
            receive(transaction)
        case .failed(let transaction, let error):
            guard let onFailure else { return false }
            onFailure(transaction, error)
        case .cancelled(let transaction, let error):
            if let onCancel {
                onCancel()
            } else if let onFailure {
                onFailure(transaction, error)
            } else {
                return false
            }
        case .revoked(let transaction):
            onRevoke?(transaction)
        case .upgraded:
            break
        }
        return true
    }
}

extension Reply<PurchaseOutcome> {
    /// Replies with the outcome. False: the task was cancelled, or has its answer (that the purchase was deferred).
    fileprivate func resume(with outcome: TransactionOutcome) -> Bool {
        switch outcome {
        case .purchased(let transaction): resume(with: .success(.purchased(transaction)))
        case .restored(let transaction): resume(with: .success(.restored(transaction)))
        case .scheduled(let transaction): resume(with: .success(.scheduled(transaction)))
        case .failed(_, let error): resume(with: .failure(error))
        case .cancelled: resume(with: .success(.cancelled))
        case .revoked, .upgraded: false
        }
    }
}

extension PurchaseDelegate {
    /// Calls the method that the outcome belongs to.
    fileprivate func receive(
        _ outcome: TransactionOutcome, for token: RequestToken, from manager: StoreManager
    ) -> Bool {
        switch outcome {
        case .purchased(let transaction):
            storeManager(manager, didSucceed: transaction, for: token)
        case .restored(let transaction), .scheduled(let transaction):
            storeManager(manager, didRestore: transaction, for: token)
        case .failed(let transaction, let error):
            storeManager(manager, didFail: transaction, with: error, for: token)
        case .cancelled(let transaction, _):
            storeManager(manager, didCancel: transaction, for: token)
        case .revoked(let transaction):
            storeManager(manager, didRevoke: transaction, for: token)
        case .upgraded:
            break
        }
        return true
    }
}
