import Foundation

/// A place that keeps the bytes of one ledger.
protocol LedgerMedium {
    /// What errors call the place.
    var place: String { get }

    /// The first bytes of what is kept, `count` at most; nil where nothing is kept.
    func read(upTo count: Int) throws -> Data?

    /// Puts the bytes in the place of those kept: all of them, or none.
    func write(_ data: Data) throws
}

/// A ledger on a medium, decoded again only when the medium holds another one.
struct StoredLedger<Medium: LedgerMedium> {
    let medium: Medium
    private let format: LedgerFormat
    private var cached: (header: Data, ledger: Ledger)?

    init(medium: Medium, encoding: LedgerEncoding) {
        self.medium = medium
        format = LedgerFormat(place: medium.place, encoding: encoding)
    }

    /// Lends the ledger to `body` and writes it where `body` changed it.
    mutating func withLedger<Result>(_ body: (inout Ledger) throws -> Result) throws -> Result {
        let ledger = try current()
        var changed = ledger
        let result = try body(&changed)
        if changed != ledger { try write(changed) }
        return result
    }

    private mutating func current() throws -> Ledger {
        guard let head = try read(upTo: LedgerFormat.headerLimit) else { return Ledger() }
        if let cached, head.starts(with: cached.header) { return cached.ledger }
        let stored = try format.ledger(from: read(upTo: .max) ?? Data())
        cached = stored
        return stored.ledger
    }

    private func read(upTo count: Int) throws -> Data? {
        do {
            return try medium.read(upTo: count)
        } catch {
            throw LedgerError.unreadable(place: medium.place, underlying: error)
        }
    }

    private mutating func write(_ ledger: Ledger) throws {
        do {
            let (header, data) = try format.data(for: ledger)
            try medium.write(data)
            cached = (header, ledger)
        } catch {
            throw LedgerError.unwritable(place: medium.place, underlying: error)
        }
    }
}
