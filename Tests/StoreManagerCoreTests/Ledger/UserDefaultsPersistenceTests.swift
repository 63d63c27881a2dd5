import Foundation
import StoreManagerCore
import Testing

/// A ledger in the user defaults.
final class UserDefaultsPersistenceTests {
    let name = "StoreKitManagerTests-\(UUID().uuidString)"

    deinit { UserDefaults().removePersistentDomain(forName: name) }

    /// The defaults as another part of the process, or a later one, sees them.
    func defaults() throws -> UserDefaults { try #require(UserDefaults(suiteName: name)) }

    func ledger(key: String = "ledger", encoding: LedgerEncoding = .plain) throws -> UserDefaultsPersistence {
        UserDefaultsPersistence(
            defaults: try #require(UserDefaults(suiteName: name)), key: key, encoding: encoding)
    }

    @Test("S06 S07 what is written down is there for the next instance, under a key of its own")
    func roundTrip() async throws {
        try await ledger().persist(.bought("coins", quantity: 3))
        #expect(try await ledger().count(of: "coins") == 3)
        #expect(try await ledger(key: "another").count(of: "coins") == 0)
        try await ledger().removeAll()
        #expect(try await ledger().count(of: "coins") == 0)
    }

    @Test("S07 what the body throws leaves the ledger as it was")
    func bodyThrows() async throws {
        let ledger = try ledger()
        try await ledger.persist(.bought("coins"))
        await #expect(throws: CancellationError.self) {
            try await ledger.withLedger {
                $0.removeAll()
                throw CancellationError()
            }
        }
        #expect(try await ledger.count(of: "coins") == 1)
        #expect(try await self.ledger().count(of: "coins") == 1)
    }

    @Test("S07 a damaged value is an error that names the key, and is left as it is")
    func damaged() async throws {
        try await ledger().persist(.bought("coins"))
        var data = try #require(try defaults().data(forKey: "ledger"))
        data[data.count / 2] ^= 1
        for value: any Sendable in [data, data.prefix(20), Data(), "text"] {
            try defaults().set(value, forKey: "ledger")
            let ledger = try ledger()
            let error = await #expect(throws: LedgerError.self) { try await ledger.persist(.bought("coins", id: "2")) }
            #expect(String(describing: error).contains("the user defaults, ledger"))
            #expect(try defaults().object(forKey: "ledger") as? NSObject == value as? NSObject)
        }
    }

    @Test("S07 an app's own encoding is applied and undone")
    func encoding() async throws {
        let upsideDown = LedgerEncoding(encode: { Data($0.reversed()) }, decode: { Data($0.reversed()) })
        try await ledger(encoding: upsideDown).persist(.bought("coins"))
        #expect(try defaults().data(forKey: "ledger")?.range(of: Data("coins".utf8)) == nil)
        #expect(try await ledger(encoding: upsideDown).count(of: "coins") == 1)
    }
}
