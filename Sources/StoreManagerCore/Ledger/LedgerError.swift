public import Foundation

/// Why a ledger could not be read or written. Each case names the file or entry that the ledger is kept in.
public enum LedgerError: Error, Sendable {
    /// What is kept there is not a whole ledger. It is left as it is: nothing is ever written over it.
    case damaged(place: String, reason: String)
    /// A later version of this package wrote it; this one reads formats up to `supported`. It is left as it is.
    case newerFormat(place: String, format: Int, supported: Int)
    /// It could not be read.
    case unreadable(place: String, underlying: any Error)
    /// It could not be written; the former content stands.
    case unwritable(place: String, underlying: any Error)
}

extension LedgerError: LocalizedError, CustomStringConvertible {
    /// A sentence that says what is wrong, and where.
    public var errorDescription: String? { description }

    /// A sentence that says what is wrong, and where.
    public var description: String {
        switch self {
        case .damaged(let place, let reason): "The ledger in \(place) is damaged: \(reason)."
        case .newerFormat(let place, let format, let supported):
            "The ledger in \(place) has format \(format); this version reads formats up to \(supported)."
        case .unreadable(let place, let error):
            "The ledger in \(place) could not be read: \(error.localizedDescription)"
        case .unwritable(let place, let error):
            "The ledger in \(place) could not be written: \(error.localizedDescription)"
        }
    }
}
