import Foundation
import Testing

@testable import StoreManagerCore

/// A ledger in the keychain, with a keychain that says what the test wants.
struct KeychainEntryTests {
    let item = FakeItem()

    func persist(_ id: String) throws {
        var stored = StoredLedger(medium: KeychainEntry(item: item), encoding: .plain)
        try stored.withLedger { $0.record(.bought("coins", id: id)) }
    }

    func count() throws -> Int {
        var stored = StoredLedger(medium: KeychainEntry(item: item), encoding: .plain)
        return try stored.withLedger { $0.count(of: "coins") }
    }

    @Test("S07 the first write adds the entry, the next ones update it")
    func adding() throws {
        try persist("1")
        try persist("2")
        #expect(try count() == 2)
        #expect(item.calls == ["copy", "update", "add", "copy", "copy", "update", "copy", "copy"])
    }

    @Test("S07 an entry that somebody added in between is updated")
    func duplicate() throws {
        item.addedInBetween = true
        try persist("1")
        #expect(item.calls == ["copy", "update", "add", "update"])
        #expect(try count() == 1)
    }

    @Test(
        "S07 a keychain that cannot be read is an error that says why, and is not written over",
        arguments: [-25308, -34018, -25293])
    func unreadable(status: Int32) throws {
        try persist("1")
        item.copyStatus = status
        item.calls = []
        #expect {
            try persist("2")
        } throws: { error in
            guard case LedgerError.unreadable("the keychain, item", let underlying) = error else { return false }
            return (underlying as NSError).code == Int(status) && String(describing: error).contains("\(status)")
        }
        #expect(item.calls == ["copy"])
        item.copyStatus = nil
        #expect(try count() == 1)
    }

    @Test("S07 an entry without data, and one that is no ledger, is an error and is not written over")
    func damaged() throws {
        item.data = Data("something else".utf8)
        #expect(throws: LedgerError.self) { try persist("1") }
        item.copyStatus = 0
        item.data = nil
        #expect(throws: LedgerError.self) { try persist("1") }
        #expect(item.calls.allSatisfy { $0 == "copy" })
    }

    @Test("S07 a keychain that cannot be written is an error")
    func unwritable() throws {
        item.updateStatus = -25308
        #expect {
            try persist("1")
        } throws: {
            if case LedgerError.unwritable("the keychain, item", _) = $0 { true } else { false }
        }
    }
}

/// A keychain entry in memory.
final class FakeItem: KeychainItem {
    let name = "item"
    var data: Data?
    var calls: [String] = []
    var copyStatus: Int32?
    var updateStatus: Int32?
    var addedInBetween = false

    private static let notFound: Int32 = -25300
    private static let duplicate: Int32 = -25299

    func copy() -> (status: Int32, data: Data?) {
        calls.append("copy")
        return (copyStatus ?? (data == nil ? Self.notFound : 0), data)
    }

    func update(_ data: Data) -> Int32 {
        calls.append("update")
        if let updateStatus { return updateStatus }
        if self.data == nil { return Self.notFound }
        self.data = data
        return 0
    }

    func add(_ data: Data) -> Int32 {
        calls.append("add")
        if addedInBetween { self.data = Data() }
        if self.data != nil { return Self.duplicate }
        self.data = data
        return 0
    }
}
