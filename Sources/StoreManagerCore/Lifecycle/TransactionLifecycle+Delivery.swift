/// From a genuine transaction to one that is handed over and finished.
extension TransactionLifecycle {
    // persisting -> downloading | delivering (revoked or upgraded) | stalled
    // downloading -> gathered | delivering | stalled | lookingUp (the store takes it back)
    // stalled -> persisting | lookingUp (a newer word of the store)
    mutating func handlePreparation(_ input: Input) -> [Effect] {
        guard let transaction else { return [] }
        switch (phase, input) {
        case (.persisting, .persisted):
            if let outcome, outcome.isWithdrawal { return deliver(outcome) }
            phase = .downloading
            return [.download(transaction)]
        case (.persisting, .persistFailed(let error)):
            phase = .stalled
            return tell(.persistenceFailed(underlying: error))
        case (.downloading, .downloaded) where origin == .restore:
            return gather(.restored(transaction))
        case (.downloading, .downloaded):
            return deliver(transaction.state == .restored ? .restored(transaction) : .purchased(transaction))
        case (.downloading, .downloadFailed(let error)):
            phase = .stalled
            return tell(error)
        case (.downloading, .arrived(let newer)) where isOpen(to: newer):
            if origin == .restore { origin = .unasked }
            return [.cancelDownload] + arrive(newer)
        case (.stalled, .retry):
            phase = .persisting
            return [.persist(transaction)]
        case (.stalled, .arrived(let newer)):
            return arrive(newer)
        default:
            return []
        }
    }

    mutating func gather(_ settlement: RestoreSettlement) -> [Effect] {
        outcome = settlement.outcome
        phase = .gathered
        return [.settle(settlement)]
    }

    // gathered -> finishing | awaitingFinish | delivering (the restore has nobody to deliver to) | done
    // gathered -> lookingUp (the store takes it back)
    mutating func handleGathered(_ input: Input) -> [Effect] {
        guard let transaction, let outcome else { return [] }
        switch input {
        case .delivered where outcome.isSuccess:
            return finishAfterDelivery(transaction)
        case .delivered:
            phase = .done
            return finishesManually || isRemoved ? [.end] : [.finish(transaction), .end]
        case .arrived(let newer) where isOpen(to: newer):
            origin = .unasked
            return arrive(newer)
        case .noReceiver where outcome.isSuccess:
            origin = .unasked
            return deliver(outcome)
        case .noReceiver:
            let finishing = finishesManually || isRemoved ? [] : [Effect.finish(transaction)]
            return finishing + end(outcome)
        default:
            return []
        }
    }

    // delivering -> waitingForDelivery | finishing | awaitingFinish
    // waitingForDelivery -> delivering | lookingUp (a newer word of the store)
    mutating func handleDelivery(_ input: Input) -> [Effect] {
        guard let transaction, let outcome else { return [] }
        switch (phase, input) {
        case (.delivering, .delivered):
            return finishAfterDelivery(transaction)
        case (.delivering, .noReceiver):
            phase = .waitingForDelivery
            return tellWaiting(transaction)
        case (.waitingForDelivery, .receiverAppeared), (.waitingForDelivery, .retry):
            return deliver(outcome)
        case (.waitingForDelivery, .arrived(let newer)):
            return arrive(newer)
        default:
            return []
        }
    }

    mutating func deliver(_ outcome: TransactionOutcome) -> [Effect] {
        self.outcome = outcome
        phase = .delivering
        return [.deliver(outcome)]
    }

    mutating func finishAfterDelivery(_ transaction: StoreTransaction) -> [Effect] {
        if isRemoved { return complete(transaction) }
        if finishesManually, outcome?.isForNobody != true {
            phase = .awaitingFinish
            return publication
        }
        phase = .finishing
        return [.finish(transaction)]
    }

    // awaitingFinish -> finishing | lookingUp (something new to hand over) | done
    // finishing -> done
    mutating func handleFinishing(_ input: Input) -> [Effect] {
        guard let transaction else { return [] }
        switch (phase, input) {
        case (.awaitingFinish, .finishRequested):
            phase = .finishing
            return [.finish(transaction)]
        case (.awaitingFinish, .arrived(let newer)) where newer.deliveryState == transaction.deliveryState:
            // It was handed over in this state, and is the app's to finish.
            self.transaction = newer.with(newer.context ?? transaction.context)
            return []
        case (.awaitingFinish, .arrived(let newer)):
            origin = .unasked
            return arrive(newer)
        case (_, .finished), (_, .removed), (.finishing, .finishTimedOut):
            return complete(transaction)
        default:
            return []
        }
    }

    mutating func complete(_ transaction: StoreTransaction) -> [Effect] {
        // What the app finishes itself was published when it was handed over.
        let wasPublished = finishesManually && !isRemoved && outcome?.isForNobody != true
        let publication = wasPublished ? [] : self.publication
        phase = .done
        return [.recordFinish(transaction)] + publication + [.end]
    }
}
