import Foundation
import StoreManagerCore

/// All transactions of a store, found by identifier.
struct History: Codable, Sendable {
    /// In the order of their identifiers, which is also that of their making.
    private(set) var records: [PurchaseRecord] = []
    /// The identifier of the next transaction.
    private var nextID: UInt64 = 1

    /// How many identifiers a subscription sets aside for its renewals; when they are used up it sets aside as many again.
    static let idsPerRun: UInt64 = 1_000

    /// Sets identifiers aside and returns the first.
    mutating func reserve(_ count: UInt64 = 1) -> UInt64 {
        defer { nextID += count }
        return nextID
    }

    /// Adds a record whose identifiers were set aside; returns where it stands.
    @discardableResult
    mutating func insert(_ record: PurchaseRecord) -> Int {
        let place = upperBound(of: record.firstID)
        records.insert(record, at: place)
        return place
    }

    /// Where the record of a transaction stands; nil where there is none.
    func position(of id: UInt64) -> Int? {
        let place = upperBound(of: id)
        guard place > 0, records[place - 1].ids.contains(id) else { return nil }
        return place - 1
    }

    /// The record that a transaction belongs to.
    func record(of id: UInt64) -> PurchaseRecord? { position(of: id).map { records[$0] } }

    /// Whether the record at a place has this transaction.
    func contains(_ id: UInt64, at place: Int) -> Bool {
        records.indices.contains(place) && records[place].ids.contains(id)
    }

    /// Changes a record in place.
    mutating func update<Result>(at position: Int, _ change: (inout PurchaseRecord) -> Result) -> Result {
        change(&records[position])
    }

    /// Changes the record that was found, if one was.
    mutating func update(at position: Int?, _ change: (inout PurchaseRecord) -> Void) {
        if let position { change(&records[position]) }
    }

    /// Takes a transaction out of its run, so that it can have a fate of its own; returns where its record stands.
    mutating func isolate(_ id: UInt64) -> Int? {
        guard let position = position(of: id) else { return nil }
        let record = records[position]
        guard record.count > 1 else { return position }
        let index = Int32(id - record.firstID)
        let parts = [0..<index, index..<(index + 1), (index + 1)..<record.count].filter { !$0.isEmpty }
        records.replaceSubrange(position...position, with: parts.map { record.part($0) })
        return self.position(of: id)
    }

    /// How many records begin at or before an identifier.
    private func upperBound(of id: UInt64) -> Int {
        guard let last = records.last, last.firstID > id else { return records.count }
        var low = 0
        var high = records.count
        while low < high {
            let middle = (low + high) / 2
            if records[middle].firstID <= id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Removes records for good.
    mutating func removeAll(where shouldRemove: (PurchaseRecord) -> Bool) { records.removeAll(where: shouldRemove) }
}

extension PurchaseRecord {
    /// The part of a run that these of its transactions make.
    fileprivate func part(_ range: Range<Int32>) -> PurchaseRecord {
        var part = self
        part.firstID = firstID + UInt64(range.lowerBound)
        part.count = Int32(range.count)
        part.offset = offset + range.lowerBound
        part.beginsWithRenewal = beginsWithRenewal || range.lowerBound > 0
        part.finished = finished.part(range)
        if range.upperBound < count { part.cutOff = nil }
        return part
    }
}
