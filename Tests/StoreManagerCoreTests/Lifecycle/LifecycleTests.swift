import Foundation
import StoreManagerCore
import Testing

/// The transition function, on its own.
struct LifecycleTests {
    @Test("S01 a success is verified, written down, downloaded, handed over, finished and published, in this order")
    func orderOfASuccess() {
        let transaction = StoreTransaction(
            id: "1", productIdentifier: "coins", state: .purchased, purchaseDate: Date(timeIntervalSince1970: 0))
        var lifecycle = TransactionLifecycle(origin: .request)
        let inputs: [TransactionLifecycle.Input] = [
            .arrived(transaction), .known(.new), .verdict(.valid), .persisted, .downloaded, .delivered, .finished,
        ]
        let effects = inputs.flatMap { lifecycle.handle($0) }
        let names = effects.map { String(describing: $0).prefix { $0 != "(" } }
        #expect(
            names == [
                "lookUp", "verify", "persist", "download", "deliver", "finish", "recordFinish", "publish", "end",
            ])
        #expect(lifecycle.phase == .done)
    }
}
