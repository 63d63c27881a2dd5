import TestSupport
import Testing

@testable import StoreManagerCore

/// What holds purchases back while an earlier transaction of their product is being finished, as a value.
struct FinishGateTests {
    private var gate = FinishGate()

    private func payment(_ number: UInt64, of product: String = "coins") -> StorePayment {
        StorePayment(token: RequestToken(kind: .purchase, number: number), product: .sample(product))
    }

    @Test("P24 payments wait until all transactions of their product are finished, and go on in their order")
    mutating func holding() {
        #expect(!gate.isClosed(for: "coins"))
        gate.close(for: .sample("1"))
        gate.close(for: .sample("1"))
        gate.close(for: .sample("2"))
        #expect(gate.isClosed(for: "coins"))
        #expect(!gate.isClosed(for: "gems"))
        gate.hold(payment(1))
        gate.hold(payment(2))
        #expect(gate.open(for: "1").isEmpty)
        #expect(gate.isClosed(for: "coins"))
        #expect(gate.open(for: "2") == [payment(1), payment(2)])
        #expect(!gate.isClosed(for: "coins"))
        #expect(gate.open(for: "2").isEmpty)
    }

    @Test("P24 a product's transactions hold back no other product")
    mutating func products() {
        gate.close(for: .sample("1"))
        gate.close(for: .sample("2", of: "gems"))
        gate.hold(payment(1))
        gate.hold(payment(2, of: "gems"))
        #expect(gate.open(for: "2") == [payment(2, of: "gems")])
        #expect(gate.open(for: "nonsense").isEmpty)
        #expect(gate.open(for: "1") == [payment(1)])
    }

    @Test("P24 P21 one payment may go on, or be dropped, before the others")
    mutating func release() {
        gate.close(for: .sample("1"))
        gate.hold(payment(1))
        gate.hold(payment(2))
        #expect(gate.release(payment(1).token, of: "coins") == payment(1))
        #expect(gate.release(payment(1).token, of: "coins") == nil)
        #expect(gate.release(payment(2).token, of: "gems") == nil)
        #expect(gate.open(for: "1") == [payment(2)])
    }
}
