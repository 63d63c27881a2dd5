import Foundation

/// When a transaction was charged, among the others of its subscription. Of two that were charged at one instant the one with
/// the higher number is the later.
struct ChargeOrder: Comparable {
    var date: Date
    var id: StoreTransaction.ID

    static func < (one: ChargeOrder, other: ChargeOrder) -> Bool {
        one.date != other.date
            ? one.date < other.date : one.id.compare(other.id, options: .numeric) == .orderedAscending
    }
}
