import Foundation
import StoreManagerCore

/// Where StoreKit 1 calls the app back: in the main queue, or in any that is set.
final class CallbackQueue: Sendable {
    private let queue = Locked(DispatchQueue.main)
    private let underWay = DispatchGroup()
    private let count = Locked(0)

    /// The queue. A concurrent one calls back from any of its threads, several at a time.
    var current: DispatchQueue {
        get { queue.withLock { $0 } }
        set { queue.withLock { $0 = newValue } }
    }

    /// Whether a call has not returned.
    var isBusy: Bool { count.withLock { $0 > 0 } }

    /// Calls back.
    func perform(_ body: @escaping @Sendable () -> Void) {
        count.withLock { $0 += 1 }
        current.async(group: underWay) {
            body()
            self.count.withLock { $0 -= 1 }
        }
    }

    /// Returns when all calls that were begun have returned.
    func finish() async {
        await withCheckedContinuation { continuation in
            underWay.notify(queue: .global()) { continuation.resume() }
        }
    }
}
