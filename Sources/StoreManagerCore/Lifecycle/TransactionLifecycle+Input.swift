extension TransactionLifecycle {
    /// What can happen to a transaction.
    package enum Input: Sendable {
        /// The purchase waits for somebody's approval.
        case deferred
        /// The store has a paid transaction, or a newer word about one.
        case arrived(StoreTransaction)
        /// The purchase changes a plan at the next renewal.
        case scheduled(StoreTransaction)
        /// The purchase failed; the store may have a transaction that says so.
        case failed(StoreError, StoreTransaction?)
        /// Another component took the transaction from the queue.
        case removed
        /// Whether it was dealt with before.
        case known(Knowledge)
        /// The ledger that would know could not be read.
        case lookUpFailed(any Error)
        /// What its purchase was started with, in an earlier run.
        case contextFound(PurchaseContext)
        /// A purchase was answered with it.
        case adopted
        /// A restore lists it.
        case listed(StoreTransaction)
        /// The restore that listed it has failed.
        case abandoned
        /// Nobody is there to receive.
        case noReceiver
        /// Somebody may be there to receive now.
        case receiverAppeared
        /// What a verifier found; one that did not answer in time found nothing.
        case verdict(VerificationVerdict)
        /// It is written down.
        case persisted
        /// It could not be written down.
        case persistFailed(any Error)
        /// Its content is there, or it has none.
        case downloaded
        /// Its content could not be fetched.
        case downloadFailed(StoreError)
        /// It was handed over.
        case delivered
        /// The app asks to finish it.
        case finishRequested
        /// The store finished it.
        case finished
        /// The store takes too long to finish it; nobody waits any more.
        case finishTimedOut
        /// What could not be done is to be tried again.
        case retry
    }

    /// What is known of a transaction when it arrives.
    package enum Knowledge: String, CaseIterable, Sendable {
        /// Nothing: it is to be dealt with.
        case new
        /// It was dealt with in this very state: handed over, and finished or to be finished by the app.
        case handled
        /// The store has said something else of it later: this is an old copy that comes late.
        case superseded
        /// It was found not to be genuine, which stands.
        case refused
    }

    /// What is to be done for a transaction.
    package enum Effect: Sendable {
        /// Tell the request that it waits for approval.
        case announceDeferral
        /// Find out whether it was dealt with before; answered by `known` or `lookUpFailed`.
        case lookUp(StoreTransaction)
        /// Ask whether it is genuine; answered by `verdict`, or by `noReceiver`.
        case verify(StoreTransaction)
        /// Write it down; answered by `persisted` or `persistFailed`.
        case persist(StoreTransaction)
        /// Fetch its content; answered by `downloaded` or `downloadFailed`.
        case download(StoreTransaction)
        /// Fetch its content no more; a download that was begun is not answered then.
        case cancelDownload
        /// Tell the restore what became of it; answered by `delivered` or `noReceiver` unless undecided.
        case settle(RestoreSettlement)
        /// Hand it over. A success or a revocation is answered by `delivered` or `noReceiver`, an upgrade by `delivered`.
        case deliver(TransactionOutcome)
        /// Tell the store that it was dealt with; answered by `finished`, `removed` or `finishTimedOut`.
        case finish(StoreTransaction)
        /// Write down that it was finished.
        case recordFinish(StoreTransaction)
        /// Have it tried again after a pause.
        case scheduleRetry
        /// Tell observers that it waits with nobody to receive it.
        case reportWaiting(StoreTransaction)
        /// Tell observers how it ended.
        case publish(TransactionOutcome)
        /// Forget it.
        case end
    }
}

/// When, in the doing of an effect. What is done elsewhere, such as writing into the ledger, is only begun by then.
package enum EffectMoment: Sendable {
    case before
    case after
}

/// How a transaction ends for whoever receives it.
package enum TransactionOutcome: Sendable {
    /// Bought.
    case purchased(StoreTransaction)
    /// Owned already.
    case restored(StoreTransaction)
    /// A plan change that takes effect at the next renewal.
    case scheduled(StoreTransaction)
    /// Not bought, or not to be handed over now.
    case failed(StoreTransaction?, StoreError)
    /// Somebody said no.
    case cancelled(StoreTransaction?, StoreError)
    /// The store took it back.
    case revoked(StoreTransaction)
    /// It gave way to a better plan, which comes as a transaction of its own: nobody is handed anything.
    case upgraded(StoreTransaction)

    /// A failure, or the cancellation that it is.
    static func failing(with error: StoreError, _ transaction: StoreTransaction?) -> TransactionOutcome {
        error.isCancellation ? .cancelled(transaction, error) : .failed(transaction, error)
    }

    /// Whether something was bought or is owned, so that it must reach somebody.
    package var isSuccess: Bool {
        switch self {
        case .purchased, .restored: true
        case .scheduled, .failed, .cancelled, .revoked, .upgraded: false
        }
    }

    /// Whether something that was bought counts no more.
    package var isWithdrawal: Bool {
        switch self {
        case .revoked, .upgraded: true
        case .purchased, .restored, .scheduled, .failed, .cancelled: false
        }
    }

    /// Whether the app has nothing to do for it, and so nothing to finish.
    var isForNobody: Bool { if case .upgraded = self { true } else { false } }
}

/// What became of one transaction of a restore.
package enum RestoreSettlement: Sendable {
    /// Genuine, written down, its content there.
    case restored(StoreTransaction)
    /// Not genuine.
    case invalid(StoreTransaction, StoreError)
    /// Nobody could tell, or it could not be written down or fetched; it stays unfinished.
    case undecided(StoreTransaction, StoreError)

    /// The transaction.
    var transaction: StoreTransaction {
        switch self {
        case .restored(let transaction), .invalid(let transaction, _), .undecided(let transaction, _): transaction
        }
    }

    /// What it means to the transaction itself.
    var outcome: TransactionOutcome {
        switch self {
        case .restored(let transaction): .restored(transaction)
        case .invalid(let transaction, let error), .undecided(let transaction, let error): .failed(transaction, error)
        }
    }
}

extension StoreTransaction {
    /// Whether it takes the purchase away, as far as the store's own library trusts it.
    var withdraws: Bool {
        if case .unverified = storeVerification { false } else { !deliveryState.grants }
    }

    /// The same transaction in another state.
    package func inState(_ state: StoreTransactionState) -> StoreTransaction {
        var copy = self
        copy.state = state
        return copy
    }
}
