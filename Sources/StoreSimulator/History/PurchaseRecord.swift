import Foundation
import StoreManagerCore

/// One transaction of an account, or a run of renewals on the same terms.
///
/// The transactions of a run have consecutive identifiers and dates that follow from the first one, so that a subscriber of
/// many years is one record. What befalls a single transaction of a run makes it a record of its own first.
struct PurchaseRecord: Codable, Sendable {
    /// Where a payment stands in the store's books.
    enum Standing: UInt8, Codable, Sendable {
        /// The buyer has not answered yet.
        case open
        /// Somebody has to approve it.
        case deferred
        /// The buyer has to do something in the store first.
        case interrupted
        /// Not paid, for good.
        case failed
        /// Paid.
        case paid
    }

    /// The identifier of the first transaction.
    var firstID: UInt64
    /// How many transactions.
    var count: Int32 = 1
    var account: Int32
    /// The number of the terms.
    var terms: Int32
    /// The identifier of the first purchase.
    var originalID: UInt64
    var originalDate: Date
    /// What the dates are counted from.
    var anchor: Date
    /// How many steps after the anchor the first transaction lies.
    var offset: Int32 = 0
    /// When the last transaction's period ended early.
    var cutOff: Date?
    var standing: Standing
    /// Whether the first transaction is a renewal already.
    var beginsWithRenewal = false
    var isFamilyShared = false
    var isUpgraded = false
    /// Whether it is a restored copy of the original.
    var isCopy = false
    /// The family member's transaction that this one is a share of.
    var sharedFrom: UInt64 = 0
    var finished = FinishedMarks()
    /// What few transactions have.
    @Rare var details: Details?

    /// What few transactions have.
    struct Details: Codable, Sendable {
        var appAccountToken: UUID?
        var applicationUsername: String?
        var revocationDate: Date?
        var revocationReason: StoreRevocationReason?
        /// How much money a refund gave back.
        var refundedAmount: Decimal?
        /// How much money was given back because a better plan took its place.
        var proratedAmount: Decimal?
        var failure: StoreAPIFailure?
        /// When the store signed its last word, where that was later than the purchase.
        var signedDate: Date?
    }

    /// The identifiers of all transactions.
    var ids: Range<UInt64> { firstID..<(firstID + UInt64(count)) }

    /// The identifier of the last transaction.
    var lastID: UInt64 { firstID + UInt64(count) - 1 }

    /// Changes what few transactions have.
    mutating func withDetails(_ change: (inout Details) -> Void) {
        var changed = details ?? Details()
        change(&changed)
        details = changed
    }
}

/// Which transactions of a record the app has finished: all before a place, and some beyond it.
struct FinishedMarks: Codable, Hashable, Sendable {
    private var upTo: Int32 = 0
    private var beyond: Set<Int32> = []

    func contains(_ index: Int32) -> Bool { index < upTo || beyond.contains(index) }

    mutating func insert(_ index: Int32) {
        guard index >= upTo else { return }
        beyond.insert(index)
        while beyond.remove(upTo) != nil { upTo += 1 }
    }

    mutating func remove(_ index: Int32) {
        if index < upTo {
            beyond.formUnion((index + 1)..<upTo)
            upTo = index
        } else {
            beyond.remove(index)
        }
    }

    /// The marks of a part of the record, counted from its beginning.
    func part(_ range: Range<Int32>) -> FinishedMarks {
        var marks = FinishedMarks()
        for index in range where contains(index) { marks.insert(index - range.lowerBound) }
        return marks
    }

    init() {}

    /// Reads the place, and those beyond it.
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        upTo = try container.decode(Int32.self)
        while !container.isAtEnd { beyond.insert(try container.decode(Int32.self)) }
    }

    /// Writes the place and those beyond it, in order, so that one store is saved as the same bytes by every process.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(upTo)
        for index in beyond.sorted() { try container.encode(index) }
    }
}
