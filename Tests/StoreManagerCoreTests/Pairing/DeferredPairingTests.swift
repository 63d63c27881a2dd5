import Foundation
import TestSupport
import Testing

@testable import StoreManagerCore

/// How the approval of a deferred purchase finds its request where the store gives it no identifier (StoreKit 2).
struct DeferredPairingTests {
    private var pairing = DeferredPairing()

    private func token(_ number: UInt64) -> RequestToken { RequestToken(kind: .purchase, number: number) }

    private mutating func add(
        _ number: UInt64, _ product: String = "coins", account: UUID? = nil, at date: Date = .start
    ) {
        pairing.add(
            DeferredPairing.Pending(
                token: token(number), productIdentifier: product, appAccountToken: account, requestDate: date))
    }

    @Test(
        "D04 an approval belongs to the oldest pending request of its product, whatever the order of deferral, and once"
    )
    mutating func oldestFirst() {
        add(2)
        add(1)
        add(3, "gems")
        #expect(pairing.match(.sample("10"), by: StoreTime()) == token(1))
        #expect(pairing.match(.sample("11"), by: StoreTime()) == token(2))
        #expect(pairing.match(.sample("12"), by: StoreTime()) == nil)
        #expect(pairing.match(.sample("13", of: "gems"), by: StoreTime()) == token(3))
    }

    @Test("D04 an approval belongs to the request of its account token")
    mutating func accounts() {
        let (mine, yours) = (UUID(), UUID())
        add(1)
        add(2, account: mine)
        add(3, account: yours)
        #expect(pairing.match(.sample("10").with(\.appAccountToken, yours), by: StoreTime()) == token(3))
        #expect(pairing.match(.sample("11").with(\.appAccountToken, UUID()), by: StoreTime()) == nil)
        #expect(pairing.match(.sample("12").with(\.appAccountToken, mine), by: StoreTime()) == token(2))
        #expect(pairing.match(.sample("13"), by: StoreTime()) == token(1))
    }

    @Test(
        "D04 only what was bought after the request, by purchase, by this account and not taken back is an approval",
        arguments: [
            .sample("10", at: .start - 301),
            .sample("10").with(\.reason, .renewal),
            .sample("10").with(\.revocationDate, .start), .sample("10").with(\.isUpgraded, true),
            .sample("10").with(\.ownership, .familyShared),
            .sample("10", state: .restored), .sample("10", state: .failed), .sample("10", state: .scheduled),
            .sample("10", of: "gems"),
        ] as [StoreTransaction])
    mutating func noApproval(transaction: StoreTransaction) {
        add(1)
        #expect(pairing.match(transaction, by: StoreTime()) == nil)
        #expect(pairing.match(.sample("11", at: .start), by: StoreTime()) == token(1))
    }

    @Test("D04 of two requests the one that was made after the purchase is passed over")
    mutating func laterRequest() {
        add(1, at: .start + 1000)
        add(2, at: .start)
        #expect(pairing.match(.sample("10", at: .start + 500), by: StoreTime()) == token(2))
        #expect(pairing.match(.sample("11", at: .start + 500), by: StoreTime()) == nil)
    }

    @Test("D04 who waits no more is not matched")
    mutating func removal() {
        add(1)
        add(2)
        pairing.remove(token(1))
        pairing.remove(token(7))
        #expect(pairing.match(.sample("10"), by: StoreTime()) == token(2))
    }
}
