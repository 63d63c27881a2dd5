/// Who hears of a restore: a set of closures, a delegate that may be gone by then, or a task that awaits the end.
enum RestoreReceiver {
    case handlers(RestoreHandlers)
    case delegate(WeakRestorationDelegate)
    case awaited(Reply<RestoreResult>)

    /// Whether a closure stands ready to verify.
    var hasVerifyHandler: Bool {
        if case .handlers(let handlers) = self { handlers.onVerify != nil } else { false }
    }

    /// What has to be kept of it to ask about one transaction again, once the restore itself has ended.
    @MainActor
    func verifier(for token: RequestToken, of manager: StoreManager) -> PurchaseReceiver? {
        switch self {
        case .handlers(let handlers):
            handlers.onVerify.map { onVerify in .handlers(PurchaseHandlers(onVerify: { onVerify([$0]) })) }
        case .delegate(let delegate):
            .handlers(
                PurchaseHandlers(onVerify: { [weak manager] transaction in
                    guard let manager else { return }
                    guard let object = delegate.object else { return manager.verifyByDefault([transaction]) }
                    object.storeManager(manager, needsVerificationOfRestored: [transaction], for: token)
                }))
        case .awaited:
            nil
        }
    }

    /// Hands over what was restored. False: nobody here takes it.
    @MainActor
    func receive(_ result: RestoreResult, for token: RequestToken, from manager: StoreManager) -> Bool {
        switch self {
        case .handlers(let handlers):
            guard let onSuccess = handlers.onSuccess else { return false }
            onSuccess(result)
            return true
        case .delegate(let delegate):
            guard let object = delegate.object else { return false }
            object.storeManager(manager, didFinishRestoring: result, for: token)
            return true
        case .awaited(let reply):
            return reply.resume(with: .success(result))
        }
    }

    /// Tells why nothing could be restored.
    @MainActor
    func receive(_ error: StoreError, for token: RequestToken, from manager: StoreManager) {
        switch self {
        case .handlers(let handlers): handlers.onFailure?(error)
        case .delegate(let delegate): delegate.object?.storeManager(manager, didFailToRestore: error, for: token)
        case .awaited(let reply): reply.resume(with: .failure(error))
        }
    }

    /// Asks whether the transactions are genuine. False: there is nobody to ask here.
    @MainActor
    func ask(about transactions: [StoreTransaction], for token: RequestToken, from manager: StoreManager) -> Bool {
        switch self {
        case .handlers(let handlers):
            guard let onVerify = handlers.onVerify else { return false }
            onVerify(transactions)
            return true
        case .delegate(let delegate):
            guard let object = delegate.object else { return false }
            object.storeManager(manager, needsVerificationOfRestored: transactions, for: token)
            return true
        case .awaited:
            return false
        }
    }
}

/// A delegate, held weakly.
struct WeakRestorationDelegate {
    weak var object: (any RestorationDelegate)?
}
