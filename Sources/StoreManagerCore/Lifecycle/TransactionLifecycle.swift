/// One transaction's way through the manager, from the payment to `finish`.
///
/// A value with one transition function and no I/O: ``handle(_:)`` takes what happened and returns what is to be done, in
/// order. The manager does it and feeds the answers back. An input that has no meaning in the present phase changes nothing
/// and asks for nothing; which ones have is listed at each phase, in the order of the way.
///
/// A paid transaction is finished only after it was verified, written down and handed over, in this order.
package struct TransactionLifecycle: Sendable {
    /// What brought the transaction here.
    package enum Origin: String, CaseIterable, Sendable {
        /// A purchase of this manager's, which waits for its answer.
        case request
        /// Nobody asked: found at launch, renewed, bought elsewhere, or left behind by its request.
        case unasked
        /// A restore, which delivers all it found together.
        case restore
    }

    /// Where the transaction stands.
    package enum Phase: String, CaseIterable, Sendable {
        /// The store was asked to sell, and has not answered.
        case submitted
        /// Somebody has to approve the purchase first.
        case deferred
        /// The ledger is asked whether this transaction was dealt with before.
        case lookingUp
        /// The ledger could not be read, so that nobody knows; asked again later.
        case unread
        /// Nobody is there to receive it, so nobody is asked to verify it yet.
        case waitingForReceiver
        /// Somebody is asked whether it is genuine.
        case verifying
        /// Nobody could tell; asked again later.
        case undecided
        /// It is being written down.
        case persisting
        /// Its content is being fetched.
        case downloading
        /// It could not be written down, or its content not be fetched; tried again later.
        case stalled
        /// Restored and ready; waits for the others of its restore.
        case gathered
        /// It is being handed over.
        case delivering
        /// All is ready, but nobody is there to receive it.
        case waitingForDelivery
        /// Handed over; the app will finish it.
        case awaitingFinish
        /// The store is told that it was dealt with.
        case finishing
        /// The store's own library doubts it; left alone until the next launch.
        case unverified
        /// Nothing more will happen.
        case done
    }

    /// What brought the transaction here. One whose request has ended is unasked from then on.
    package internal(set) var origin: Origin
    /// Where the transaction stands.
    package internal(set) var phase: Phase
    /// The transaction, once the store has one.
    package internal(set) var transaction: StoreTransaction?

    /// Whether the app finishes what was handed over.
    let finishesManually: Bool
    /// What is to be handed over, once that is known.
    var outcome: TransactionOutcome?
    /// Another component took it from the queue, so there is nothing to finish.
    var isRemoved = false
    /// A trouble is told once, however often it is tried again.
    var hasToldTrouble = false
    /// That it waits is told once.
    var hasToldWaiting = false

    /// A purchase begins `submitted`; everything else with its transaction, which is the first input.
    package init(origin: Origin, finishesManually: Bool = false) {
        self.origin = origin
        self.finishesManually = finishesManually
        phase = .submitted
    }

    /// Takes what happened; returns what is to be done, in order.
    package mutating func handle(_ input: Input) -> [Effect] {
        switch input {
        case .adopted: return handleAdoption()
        case .removed where isUnderWay:
            isRemoved = true
            return []
        case .listed(let transaction): return handleListing(transaction)
        default: break
        }
        return switch phase {
        case .submitted, .deferred: handleBeforePayment(input)
        case .lookingUp, .unread: handleLookingUp(input)
        case .waitingForReceiver: handleWaitingForReceiver(input)
        case .verifying, .undecided: handleVerification(input)
        case .persisting, .downloading, .stalled: handlePreparation(input)
        case .gathered: handleGathered(input)
        case .delivering, .waitingForDelivery: handleDelivery(input)
        case .awaitingFinish, .finishing: handleFinishing(input)
        case .unverified: handleUnverified(input)
        case .done: []
        }
    }
}

extension TransactionLifecycle {
    /// A purchase was answered with a transaction that was here before: it is that purchase's from now on, if it was not
    /// handed over yet, and whatever it waited for is tried at once.
    mutating func handleAdoption() -> [Effect] {
        guard let transaction, origin != .restore, isUnderWay else { return [] }
        origin = .request
        hasToldTrouble = false
        if phase == .unverified { return arrive(transaction) }
        return isResting ? handle(.retry) : []
    }

    /// A restore lists a transaction that is at rest: it is the restore's from now on. A verdict once given stands. What was
    /// taken back, or gave way to a better plan, is nothing to restore.
    mutating func handleListing(_ listed: StoreTransaction) -> [Effect] {
        guard let transaction, isResting, !hasBeenHandedOver, listed.deliveryState.grants else { return [] }
        origin = .restore
        hasToldTrouble = false
        if listed.deliveryState != transaction.deliveryState
            || listed.storeVerification != transaction.storeVerification
        {
            return arrive(listed)
        }
        switch phase {
        case .stalled:
            return handle(.retry)
        case .waitingForDelivery:
            return gather(.restored(transaction.inState(.restored)))
        default:
            return arrive(transaction)
        }
    }

    /// Whether there is a transaction that somebody is still to receive.
    private var isUnderWay: Bool { transaction != nil && !hasBeenHandedOver }

    /// Whether some receiver has it, or nobody ever will.
    package var hasBeenHandedOver: Bool {
        switch phase {
        case .awaitingFinish, .finishing, .done: true
        default: false
        }
    }

    /// Whether the store has not answered the payment yet.
    package var isAwaitingPayment: Bool { phase == .submitted || phase == .deferred }

    /// Whether nothing is under way: it waits for somebody, for a pause to pass or for the next launch, so that a newer word of
    /// the store is looked at at once.
    package var isResting: Bool {
        switch phase {
        case .unread, .waitingForReceiver, .undecided, .stalled, .waitingForDelivery, .awaitingFinish, .unverified: true
        default: false
        }
    }

    /// Whether a newer word of the store is looked at at once: at rest any is; while content is being fetched, which may take
    /// for ever, one that takes the purchase away.
    package func isOpen(to newer: StoreTransaction) -> Bool {
        switch phase {
        case .downloading: newer.withdraws
        case .gathered: newer.withdraws && outcome?.isSuccess == true
        default: isResting
        }
    }

    /// Whether it was found not to be genuine, which stands.
    var isRefused: Bool {
        guard phase == .done, case .failed(let transaction?, .verificationFailed) = outcome else { return false }
        return transaction.state != .failed
    }

    /// Whether it ended with a failure after which the store may still sell, as one that asks for a new means of payment does
    /// (an interrupted purchase), by a transaction of its own.
    var mayBeInterrupted: Bool {
        guard phase == .done, case .failed(let transaction, let error) = outcome,
            transaction == nil || transaction?.state == .failed
        else { return false }
        switch error {
        case .unknown, .network, .timedOut: return true
        default: return false
        }
    }

    /// A restore publishes its own outcome; everything else is published transaction by transaction.
    var publication: [Effect] {
        guard let outcome, origin != .restore else { return [] }
        return [.publish(outcome)]
    }

    mutating func end(_ outcome: TransactionOutcome) -> [Effect] {
        self.outcome = outcome
        phase = .done
        return [.deliver(outcome), .publish(outcome), .end]
    }

    mutating func tellWaiting(_ transaction: StoreTransaction) -> [Effect] {
        if hasToldWaiting { return [] }
        hasToldWaiting = true
        return [.reportWaiting(transaction)]
    }

    /// Tells of a trouble that leaves the transaction unfinished: its request ends, its restore counts it as undecided. From
    /// then on the transaction belongs to nobody.
    mutating func tell(_ error: StoreError) -> [Effect] {
        guard let transaction, !hasToldTrouble else { return [] }
        hasToldTrouble = true
        defer { origin = .unasked }
        if origin == .restore { return [.settle(.undecided(transaction, error))] }
        return [.deliver(.failed(transaction, error)), .publish(.failed(transaction, error))]
    }
}
