import Foundation
import StoreManagerCore
import Testing

@testable import Soak

/// The model that stands beside the manager: what it takes for wrong.
@Suite("A transaction's fate")
struct TransactionFateTests {
    private let transaction = StoreTransaction(
        id: "1", productIdentifier: "coins", productType: .consumable, state: .purchased, purchaseDate: .distantPast)

    @Test("P13 handing over the same state twice is wrong in one process, and right in the next")
    func twice() {
        var fate = TransactionFate()
        #expect(fate.deliver(.single, of: transaction, in: 1) == nil)
        #expect(fate.deliver(.single, of: transaction, in: 1)?.hasPrefix("P13") == true)
        #expect(fate.deliver(.single, of: transaction, in: 2) == nil)
    }

    @Test("V01 V03 V04 handing over needs a yes where somebody was asked")
    func verdicts() {
        func fault(_ verdict: VerificationVerdict?) -> String? {
            var fate = TransactionFate()
            fate.ask(in: 1)
            if let verdict { fate.answer(verdict, in: 1) }
            return fate.deliver(.single, of: transaction, in: 1)
        }
        #expect(fault(.valid) == nil)
        #expect(fault(nil)?.hasPrefix("V01") == true)
        #expect(fault(.invalid(reason: "no"))?.hasPrefix("V03") == true)
        #expect(fault(.unableToComplete(SoakError(what: "")))?.hasPrefix("V04") == true)
    }

    @Test("U04 what was taken back is told as that, once")
    func refunds() {
        var revoked = transaction
        revoked.revocationDate = .distantPast
        var fate = TransactionFate()
        #expect(fate.deliver(.single, of: revoked, in: 1)?.hasPrefix("U04") == true)
        #expect(fate.deliver(.revoked, of: transaction, in: 1)?.hasPrefix("U04") == true)
        #expect(fate.deliver(.revoked, of: revoked, in: 2) == nil)
        #expect(fate.deliver(.revoked, of: revoked, in: 2)?.hasPrefix("U04") == true)
    }

    @Test("V03 a no beside a yes that was not used yet does not count, and one to a later question does")
    func lateYes() {
        var fate = TransactionFate()
        fate.ask(in: 1)
        fate.answer(.valid, in: 1)
        fate.answer(.invalid(reason: "no"), in: 1)
        #expect(fate.deliver(.single, of: transaction, in: 1) == nil)
        fate.answer(.invalid(reason: "no"), in: 1)
        var renewed = transaction
        renewed.expirationDate = .distantFuture
        #expect(fate.deliver(.single, of: renewed, in: 1)?.hasPrefix("V03") == true)
    }

    @Test("T01 what gave way to another plan is for no receiver, but for a refund")
    func replaced() {
        var replaced = transaction
        replaced.isUpgraded = true
        var fate = TransactionFate()
        fate.report(transaction)
        #expect(!fate.isReplaced)
        fate.report(replaced)
        // An old word that comes late changes nothing about it.
        fate.report(transaction)
        #expect(fate.isReplaced)
        #expect(fate.deliver(.single, of: replaced, in: 1)?.hasPrefix("T01") == true)
        #expect(fate.deliver(.listed, of: replaced, in: 1)?.hasPrefix("T01") == true)
        replaced.revocationDate = .distantPast
        #expect(fate.deliver(.revoked, of: replaced, in: 1) == nil)
    }
}
