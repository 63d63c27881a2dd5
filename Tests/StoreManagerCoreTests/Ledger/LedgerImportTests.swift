import Foundation
import StoreManagerCore
import Testing

/// Purchases that are known from elsewhere.
final class LedgerImportTests {
    var ledger = Ledger()

    func consume(_ product: String, quantity: Int = 1) -> Bool { ledger.consume(product, quantity: quantity) }

    let known = [
        KnownPurchase(productIdentifier: "coins", productType: .consumable, quantity: 5, consumed: 2),
        KnownPurchase(productIdentifier: "coins", productType: .consumable, quantity: 3),
        KnownPurchase(productIdentifier: "unlock", transactionID: "77", purchaseDate: day(4)),
    ]

    @Test("S06 imported purchases count, and are marked with where they were known from")
    func importing() {
        ledger.importPurchases(known, from: "server")
        #expect(ledger.count(of: "coins") == 6)
        #expect(ledger.count(of: "unlock") == 1)
        #expect(ledger.transactions(for: "coins").map(\.id) == ["server-1", "server-2"])
        #expect(ledger.transactions(for: "unlock").map(\.importedFrom) == ["server"])
        #expect(ledger.transactions(for: "unlock").map(\.originalPurchaseDate) == [day(4)])
    }

    @Test("S06 importing again changes nothing, whatever was consumed or refunded since")
    func importingAgain() {
        ledger.importPurchases(known, from: "server")
        #expect(consume("coins", quantity: 4))
        ledger.record(.bought("unlock", .nonConsumable, id: "77", on: day(4)).refunded(on: day(6)))
        let before = ledger
        ledger.importPurchases(known, from: "server")
        #expect(ledger == before)
        #expect(!ledger.isPurchased("unlock"))
    }

    @Test("S06 the store's word about an imported purchase updates its row, also where it is older than the import")
    func storeSpeaks() {
        ledger.importPurchases(known, from: "server")
        ledger.record(.bought("unlock", .nonConsumable, id: "99", originalID: "77", on: day(1)).restored(on: day(9)))
        let rows = ledger.transactions(for: "unlock")
        #expect(rows.map(\.latestTransactionID) == ["99"])
        #expect(rows.map(\.purchaseDate) == [day(1)])
        #expect(rows.map(\.importedFrom) == ["server"])
    }

    @Test("S06 the import's word on a type yields to the store's, and numbers that make no sense are mended")
    func oddValues() {
        ledger.record(.bought("unlock", .nonConsumable, id: "1"))
        ledger.importPurchases(
            [
                KnownPurchase(productIdentifier: "unlock", productType: .consumable, quantity: 9),
                KnownPurchase(productIdentifier: "odd", quantity: -3, consumed: 7),
                KnownPurchase(productIdentifier: "more", transactionID: "", quantity: 2, consumed: 7),
            ], from: "server")
        #expect(ledger.count(of: "unlock") == 1)
        #expect(ledger.count(of: "odd") == 0)
        #expect(ledger.transactions(for: "more").map(\.consumed) == [2])
        #expect(ledger.transactions(for: "more").map(\.id) == ["server-1"])
    }
}

/// What RMStore left in the user defaults. The archives were made for these tests, in the shape that RMStore writes.
final class RMStoreImportTests {
    let name = "StoreKitManagerTests-\(UUID().uuidString)"
    let defaults: UserDefaults

    init() throws { defaults = try #require(UserDefaults(suiteName: name)) }
    deinit { defaults.removePersistentDomain(forName: name) }

    /// com.example.coins, transaction 1000000012345, consumed.
    static let consumed = archive(
        """
        YnBsaXN0MDDUAQIDBAUGIiVZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKnBwgTFBgeH1UkbnVs
        bNUJCgsMDQ4PEBESViRjbGFzc1hjb25zdW1lZF8QEXByb2R1Y3RJZGVudGlmaWVyXxAPdHJhbnNhY3Rpb25EYXRlXxAVdHJhbnNhY3Rpb25J
        ZGVudGlmaWVygAYJgAKAA4AFXxARY29tLmV4YW1wbGUuY29pbnPSCRUWF1dOUy50aW1lgAQjQbfXhAAAAADSGRobHFgkY2xhc3Nlc1okY2xh
        c3NuYW1lohwdVk5TRGF0ZVhOU09iamVjdF0xMDAwMDAwMDEyMzQ10hkaICGiIR1fEBJSTVN0b3JlVHJhbnNhY3Rpb27RIyRSJDCAARIAAYag
        AAgAEQAbACQAKQAyAEQATABSAF0AZABtAIEAkwCrAK0ArgCwALIAtADIAM0A1QDXAOAA5QDuAPkA/AEDAQwBGgEfASIBNwE6AT0BPwAAAAAA
        AAIBAAAAAAAAACYAAAAAAAAAAAAAAAAAAAFE
        """)
    /// com.example.coins, without a transaction identifier, not consumed.
    static let nameless = archive(
        """
        YnBsaXN0MDDUAQIDBAUGHyJZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKmBwgREhYcVSRudWxs
        1AkKCwwNDg8QViRjbGFzc1hjb25zdW1lZF8QEXByb2R1Y3RJZGVudGlmaWVyXxAPdHJhbnNhY3Rpb25EYXRlgAUIgAKAA18QEWNvbS5leGFt
        cGxlLmNvaW5z0gkTFBVXTlMudGltZYAEI0G32NWAAAAA0hcYGRpYJGNsYXNzZXNaJGNsYXNzbmFtZaIaG1ZOU0RhdGVYTlNPYmplY3TSFxgd
        HqIeG18QElJNU3RvcmVUcmFuc2FjdGlvbtEgIVIkMIABEgABhqAACAARABsAJAApADIARABLAFEAWgBhAGoAfgCQAJIAkwCVAJcAqwCwALgA
        ugDDAMgA0QDcAN8A5gDvAPQA9wEMAQ8BEgEUAAAAAAAAAgEAAAAAAAAAIwAAAAAAAAAAAAAAAAAAARk=
        """)
    /// com.example.unlock, transaction 1000000067890, not consumed.
    static let unlock = archive(
        """
        YnBsaXN0MDDUAQIDBAUGIiVZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKnBwgTFBgeH1UkbnVs
        bNUJCgsMDQ4PEBESViRjbGFzc1hjb25zdW1lZF8QEXByb2R1Y3RJZGVudGlmaWVyXxAPdHJhbnNhY3Rpb25EYXRlXxAVdHJhbnNhY3Rpb25J
        ZGVudGlmaWVygAYIgAKAA4AFXxASY29tLmV4YW1wbGUudW5sb2Nr0gkVFhdXTlMudGltZYAEI0G32icAAAAA0hkaGxxYJGNsYXNzZXNaJGNs
        YXNzbmFtZaIcHVZOU0RhdGVYTlNPYmplY3RdMTAwMDAwMDA2Nzg5MNIZGiAhoiEdXxASUk1TdG9yZVRyYW5zYWN0aW9u0SMkUiQwgAESAAGG
        oAAIABEAGwAkACkAMgBEAEwAUgBdAGQAbQCBAJMAqwCtAK4AsACyALQAyQDOANYA2ADhAOYA7wD6AP0BBAENARsBIAEjATgBOwE+AUAAAAAA
        AAACAQAAAAAAAAAmAAAAAAAAAAAAAAAAAAABRQ==
        """)

    static func archive(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }

    func leave(_ value: Any) { defaults.set(value, forKey: "RMStoreTransactions") }

    @Test("S06 RMStore's purchases are read from its archives, each once, with what was consumed")
    func reading() throws {
        leave([
            "com.example.coins": [Self.consumed, Self.nameless, Self.consumed], "com.example.unlock": [Self.unlock],
        ])
        let purchases = try KnownPurchase.leftByRMStore(
            in: defaults, productTypes: ["com.example.unlock": .nonConsumable])
        #expect(
            purchases == [
                KnownPurchase(
                    productIdentifier: "com.example.coins", transactionID: "1000000012345",
                    purchaseDate: Date(timeIntervalSinceReferenceDate: 400_000_000), consumed: 1),
                KnownPurchase(
                    productIdentifier: "com.example.coins",
                    purchaseDate: Date(timeIntervalSinceReferenceDate: 400_086_400)),
                KnownPurchase(
                    productIdentifier: "com.example.unlock", productType: .nonConsumable,
                    transactionID: "1000000067890", purchaseDate: Date(timeIntervalSinceReferenceDate: 400_172_800)),
            ])
    }

    @Test("S06 RMStore's purchases are taken over into a ledger, and once only")
    func importing() async throws {
        leave(["com.example.coins": [Self.consumed, Self.nameless], "com.example.unlock": [Self.unlock]])
        let ledger = MemoryPersistence()
        for _ in 1...2 {
            try await ledger.importPurchases(KnownPurchase.leftByRMStore(in: defaults), from: "RMStore")
        }
        #expect(try await ledger.count(of: "com.example.coins") == 1)
        #expect(try await ledger.purchasedProductIdentifiers == ["com.example.coins", "com.example.unlock"])
        #expect(try await ledger.consume("com.example.coins"))
    }

    @Test("S06 where RMStore left nothing there is nothing")
    func nothing() throws {
        #expect(try KnownPurchase.leftByRMStore(in: defaults).isEmpty)
    }

    @Test("S06 an app's own obfuscation of RMStore's archives is undone")
    func obfuscated() throws {
        leave(["com.example.unlock": [Data(Self.unlock.reversed())]])
        let purchases = try KnownPurchase.leftByRMStore(in: defaults) { Data($0.reversed()) }
        #expect(purchases.map(\.transactionID) == ["1000000067890"])
    }

    @Test("S06 what RMStore did not write is an error that says where it lies")
    func damaged() {
        let values: [(Any, String)] = [
            ("text", "a dictionary by product, not"), (["p": "text"], "an array at p"),
            (["p": [Self.unlock, "text"] as [Any]], "data at p[1]"),
            (["p": [Data("no archive".utf8)]], "an archived RMStoreTransaction at p[0]"),
            (["p": [Self.unlock.dropLast(30)]], "an archived RMStoreTransaction at p[0]"),
            (["p": [Data()]], "an archived RMStoreTransaction at p[0]"),
        ]
        for (value, text) in values {
            leave(value)
            #expect {
                try KnownPurchase.leftByRMStore(in: defaults)
            } throws: { error in
                let description = String(describing: error)
                return description.contains("RMStoreTransactions") && description.contains(text)
            }
        }
    }
}
