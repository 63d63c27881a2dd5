import StoreKit
import StoreManagerCore

/// The transactions that the queue has shown, by the objects that stand for them. A value without I/O.
///
/// Objects are kept for good: another one at the address of one that was released would be taken for it.
struct ShownTransactions {
    /// An object, and what is known of it.
    struct Entry {
        let object: SKPaymentTransaction
        /// What identifies the object as long as the process lives.
        let handle: UInt64
        /// The transaction that it stands for, as it was reported last.
        var id: StoreTransaction.ID
        /// Whether it was ever seen purchasing, so that it answers a payment of this run.
        var wasPurchasing = false
        var isInQueue = true
        var isBeingFinished = false
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var objects: [StoreTransaction.ID: [ObjectIdentifier]] = [:]
    private var finished: Set<StoreTransaction.ID> = []

    /// The queue shows a transaction. Returns what is known of its object by now.
    ///
    /// - Parameter isInQueue: Is asked only about one that has left the queue: is it back, or is this a call that came late?
    mutating func show(_ seen: SeenTransaction, isInQueue: @autoclosure () -> Bool) -> Entry {
        let key = ObjectIdentifier(seen.object)
        let known = entries[key]
        let handle = known?.handle ?? UInt64(entries.count) + 1
        var entry = known ?? Entry(object: seen.object, handle: handle, id: seen.id(handle: handle))
        if seen.state == .purchasing { entry.wasPurchasing = true }
        if !entry.isInQueue { entry.isInQueue = isInQueue() }
        let id = seen.id(handle: handle)
        if known?.id != id {
            if let old = known?.id { objects[old]?.removeAll { $0 == key } }
            objects[id, default: []].append(key)
            entry.id = id
        }
        entries[key] = entry
        return entry
    }

    /// The objects that stand for a transaction, the oldest first.
    func transactions(_ id: StoreTransaction.ID) -> [SKPaymentTransaction] {
        (objects[id] ?? []).compactMap { entries[$0]?.object }
    }

    /// Whether the queue still has the transaction.
    func isInQueue(_ id: StoreTransaction.ID) -> Bool {
        (objects[id] ?? []).contains { entries[$0]?.isInQueue == true }
    }

    // MARK: Finishing

    /// The transaction is to be finished. Returns the objects that StoreKit lets an app finish.
    mutating func beginFinishing(_ id: StoreTransaction.ID) -> [SKPaymentTransaction] {
        let finishable = (objects[id] ?? []).filter {
            entries[$0]?.isInQueue == true && entries[$0]?.object.isFinishable == true
        }
        for key in finishable { entries[key]?.isBeingFinished = true }
        if !isInQueue(id) || !finishable.isEmpty { finished.insert(id) }
        return finishable.compactMap { entries[$0]?.object }
    }

    /// Whether the object answers a payment by a transaction that was finished before, so that there is nothing left to do for it.
    ///
    /// The queue answers a plan change that waits for the renewal with the transaction of the plan that is held. A restored
    /// transaction is finished by itself, however often it is restored.
    func isFinishedCopy(_ entry: Entry) -> Bool {
        entry.wasPurchasing && entry.object.transactionState == .purchased && !entry.isBeingFinished
            && finished.contains(entry.id)
    }

    /// What it means that an object has left the queue.
    enum Removal: Equatable {
        case finished(StoreTransaction.ID)
        case removedByOthers(StoreTransaction.ID)
    }

    /// An object has left the queue. Nil: it was gone already, or others still stand for its transaction.
    mutating func remove(_ object: SKPaymentTransaction) -> Removal? {
        let key = ObjectIdentifier(object)
        guard let entry = entries[key], entry.isInQueue else { return nil }
        entries[key]?.isInQueue = false
        guard !isInQueue(entry.id) else { return nil }
        return entry.isBeingFinished ? .finished(entry.id) : .removedByOthers(entry.id)
    }
}

extension SKPaymentTransaction {
    /// Whether StoreKit takes it from the queue at an app's word. It ends the process over one that is purchasing; one that is
    /// deferred is still to be approved.
    fileprivate var isFinishable: Bool {
        switch transactionState {
        case .purchased, .failed, .restored: true
        case .purchasing, .deferred: false
        @unknown default: false
        }
    }
}
