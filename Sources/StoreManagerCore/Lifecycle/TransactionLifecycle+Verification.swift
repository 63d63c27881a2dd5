/// Whether the transaction is genuine, and what becomes of one that is not.
extension TransactionLifecycle {
    // waitingForReceiver -> verifying | persisting (a late yes) | lookingUp (a newer word of the store)
    mutating func handleWaitingForReceiver(_ input: Input) -> [Effect] {
        guard let transaction else { return [] }
        switch input {
        case .receiverAppeared, .retry:
            phase = .verifying
            return [.verify(transaction)]
        case .verdict(.valid):
            phase = .persisting
            return [.persist(transaction)]
        case .arrived(let newer):
            return arrive(newer)
        default:
            return []
        }
    }

    // verifying -> waitingForReceiver | persisting | undecided | gathered (a restore's, refused) | done
    // undecided -> verifying | persisting (a late yes) | lookingUp (a newer word of the store)
    mutating func handleVerification(_ input: Input) -> [Effect] {
        guard let transaction else { return [] }
        switch (phase, input) {
        case (.verifying, .noReceiver) where origin != .restore:
            phase = .waitingForReceiver
            return tellWaiting(transaction)
        case (_, .verdict(.valid)):
            phase = .persisting
            return [.persist(transaction)]
        case (.verifying, .verdict(.invalid(let reason))):
            return refuse(transaction, reason: reason)
        case (.verifying, .verdict(.unableToComplete(let error))):
            phase = .undecided
            return tell(.unableToCompleteVerification(underlying: error)) + [.scheduleRetry]
        case (.undecided, .retry):
            phase = .verifying
            return [.verify(transaction)]
        case (.undecided, .arrived(let newer)):
            return arrive(newer)
        default:
            return []
        }
    }

    mutating func refuse(_ transaction: StoreTransaction, reason: String) -> [Effect] {
        let error = StoreError.verificationFailed(reason: reason)
        if origin == .restore {
            return gather(.invalid(transaction, error))
        }
        let finishing = finishesManually || isRemoved ? [] : [Effect.finish(transaction)]
        return finishing + end(.failed(transaction, error))
    }

    // unverified -> lookingUp (a newer word of the store, which its library trusts) | unverified
    mutating func handleUnverified(_ input: Input) -> [Effect] {
        guard case .arrived(let newer) = input else { return [] }
        return arrive(newer)
    }
}
