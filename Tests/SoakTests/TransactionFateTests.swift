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
}
