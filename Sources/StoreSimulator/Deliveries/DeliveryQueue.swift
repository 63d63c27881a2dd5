import Foundation
import StoreManagerCore

/// What is on its way to the apps: ready to be reported, not due yet, or held back.
///
/// It is no part of what a store saves: a process that ended hears nothing any more, and the next one is told what is
/// unfinished.
struct DeliveryQueue: Sendable {
    private var ready: [Delivery] = []
    /// Where `ready` begins; what lies before it was taken.
    private var head = 0
    private var delayed = Agenda<Delivery>()
    private var held: [StoreInterface: [Delivery]] = [:]
    /// When the last delayed answer to a request is due, so that a later one does not overtake it.
    private var lastDue: [Delivery.Lane: Date] = [:]

    /// Whether something can be reported now.
    var hasReady: Bool { head < ready.count }

    /// When the next delayed delivery falls due.
    var nextDue: Date? { delayed.nextDue }

    /// All that has not been reported: what is ready, then what is held, then what is delayed.
    var all: [Delivery] {
        let heldBack = held.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(\.value)
        return ready[head...] + heldBack + delayed.items
    }

    /// Takes a delivery that can be reported at once, or from a date on.
    mutating func enqueue(_ delivery: Delivery, due: Date?, faults: StoreFaults) {
        let earliest = lastDue[delivery.lane]
        if let due = [due, earliest].compactMap(\.self).max() {
            delayed.enter(delivery, due: due)
            if case .request = delivery.lane { lastDue[delivery.lane] = due }
        } else {
            accept(delivery, faults: faults)
        }
    }

    /// Makes what is due by now ready, unless its interface is held.
    mutating func advance(to now: Date, faults: StoreFaults) {
        guard let first = delayed.nextDue, first <= now else { return }
        lastDue = lastDue.filter { $0.value > now }
        while let due = delayed.nextDue, due <= now, let entry = delayed.removeFirst() {
            accept(entry.item, faults: faults)
        }
    }

    /// Holds back what is to be held from now on, and makes ready what is not any more.
    mutating func apply(_ faults: StoreFaults) {
        let waiting = ready[head...] + StoreInterface.allCases.flatMap { held[$0] ?? [] }
        head = 0
        ready = []
        held = [:]
        for delivery in waiting { accept(delivery, faults: faults) }
    }

    /// Takes out what is to be reported next: the first, or any that may come before it.
    mutating func next(faults: StoreFaults, using random: inout SplitMix64) -> Delivery? {
        guard hasReady else { return nil }
        let place = faults.hasReordering ? pick(faults: faults, using: &random) : head
        guard place != head else {
            head += 1
            // Half of it is taken: close the gap, so that the queue does not grow for ever.
            defer {
                if head * 2 > ready.count {
                    ready.removeFirst(head)
                    head = 0
                }
            }
            return ready[head - 1]
        }
        return ready.remove(at: place)
    }

    /// Removes all that is for one device, and returns it.
    mutating func removeAll(for device: Int) -> [Delivery] {
        let removed = all.filter { $0.device == device }
        ready = ready[head...].filter { $0.device != device }
        head = 0
        held = held.mapValues { $0.filter { $0.device != device } }
        delayed.removeAll { $0.device == device }
        return removed
    }

    /// Takes a delivery that is due.
    private mutating func accept(_ delivery: Delivery, faults: StoreFaults) {
        if faults.hold(delivery) {
            held[delivery.interface, default: []].append(delivery)
        } else {
            ready.append(delivery)
        }
    }

    /// The place of one of those that may come next: the first of all, and the first of each lane of a reordered interface.
    private func pick(faults: StoreFaults, using random: inout SplitMix64) -> Int {
        var lanes: Set<Delivery.Lane> = []
        var candidates: [Int] = []
        for place in ready.indices[head...] {
            let isFirstOfLane = lanes.insert(ready[place].lane).inserted
            if isFirstOfLane, place == head || faults[ready[place].interface].isReordered { candidates.append(place) }
        }
        return candidates[random.index(below: candidates.count)]
    }
}

extension StoreFaults {
    /// Whether a delivery is kept back for now. Of a store that cannot be reached nothing comes but what the device knows by
    /// itself: that a payment was made out, and that a request failed for this very reason.
    fileprivate func hold(_ delivery: Delivery) -> Bool {
        let fault = self[delivery.interface]
        guard fault.isOffline, !fault.isHeld else { return fault.isHeld }
        return switch delivery.lane {
        case .message: true
        case .request: delivery.event.tellsOfPayment
        }
    }
}

extension StoreBackendEvent {
    /// Whether the store says in it what became of a payment.
    fileprivate var tellsOfPayment: Bool {
        func isNews(_ error: StoreError?) -> Bool { if case .network? = error { false } else { true } }
        return switch self {
        case .transactionsUpdated(let updates):
            updates.contains { update in
                switch update.transaction.state {
                case .purchasing, .restored: false
                case .failed: isNews(update.error)
                case .purchased, .deferred, .scheduled: true
                }
            }
        case .purchaseDeferred: true
        case .purchaseEnded(let error, _): isNews(error)
        default: false
        }
    }
}
