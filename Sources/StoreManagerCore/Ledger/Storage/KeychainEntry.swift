import Foundation

/// What a ledger needs of the keychain: three calls, with the status that the system gives for each.
protocol KeychainItem {
    var name: String { get }
    func copy() -> (status: Int32, data: Data?)
    func update(_ data: Data) -> Int32
    func add(_ data: Data) -> Int32
}

/// An entry of the keychain as a ledger's medium.
///
/// Nothing is written that was not read before: while the keychain is locked ("interaction not allowed"), reading throws, and
/// so the entry stays as it is.
struct KeychainEntry: LedgerMedium {
    let item: any KeychainItem

    var place: String { "the keychain, \(item.name)" }

    func read(upTo count: Int) throws -> Data? {
        switch item.copy() {
        case (Status.success, let data?): return data.prefix(count)
        case (Status.success, nil): throw failure("holds no data", Status.success)
        case (Status.itemNotFound, _): return nil
        case (Status.interactionNotAllowed, _):
            throw failure("cannot be read while it is locked", Status.interactionNotAllowed)
        case (let status, _): throw failure("could not be read", status)
        }
    }

    func write(_ data: Data) throws {
        var status = item.update(data)
        if status == Status.itemNotFound { status = item.add(data) }
        if status == Status.duplicateItem { status = item.update(data) }  // somebody else added it in between
        if status != Status.success { throw failure("could not be written", status) }
    }

    private func failure(_ what: String, _ status: Int32) -> NSError {
        NSError(
            domain: NSOSStatusErrorDomain, code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: "the entry \(what) (status \(status))"])
    }

    /// The keychain's results (`SecBase.h`) that mean something to a ledger.
    private enum Status {
        static let success: Int32 = 0
        static let duplicateItem: Int32 = -25299
        static let itemNotFound: Int32 = -25300
        static let interactionNotAllowed: Int32 = -25308
    }
}
