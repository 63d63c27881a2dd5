import Foundation

/// What falls due when: the earliest first and, of equal dates, what was entered first.
///
/// A binary heap, so that the next of a hundred thousand subscriptions is found at once. Entries are never taken back: who
/// changes its date enters a new one and ignores the old one when that comes.
struct Agenda<Item: Sendable>: Sendable {
    struct Entry: Sendable {
        var due: Date
        var number: Int
        var item: Item

        func isBefore(_ other: Entry) -> Bool { (due, number) < (other.due, other.number) }
    }

    private var entries: [Entry] = []
    private var lastNumber = 0

    /// The earliest date.
    var nextDue: Date? { entries.first?.due }

    /// The earliest entry.
    var first: Entry? { entries.first }

    /// Enters an item.
    mutating func enter(_ item: Item, due: Date) {
        entries.append(makeEntry(item, due))
        siftUp(entries.count - 1)
    }

    /// Takes the earliest entry out.
    mutating func removeFirst() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        if !entries.isEmpty {
            entries[0] = last
            siftDown(0)
        }
        return first
    }

    /// Puts an item in the place of the earliest entry: cheaper than taking one out and entering the other.
    mutating func replaceFirst(with item: Item, due: Date) {
        guard !entries.isEmpty else { return enter(item, due: due) }
        entries[0] = makeEntry(item, due)
        siftDown(0)
    }

    /// All items, the earliest first.
    var items: [Item] { entries.sorted { $0.isBefore($1) }.map(\.item) }

    /// Removes items.
    mutating func removeAll(where shouldRemove: (Item) -> Bool) {
        entries = entries.filter { !shouldRemove($0.item) }.sorted { $0.isBefore($1) }
    }

    private mutating func makeEntry(_ item: Item, _ due: Date) -> Entry {
        lastNumber += 1
        return Entry(due: due, number: lastNumber, item: item)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].isBefore(entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        let moving = entries[start]
        var parent = start
        while true {
            var child = 2 * parent + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
            guard entries[child].isBefore(moving) else { break }
            entries[parent] = entries[child]
            parent = child
        }
        entries[parent] = moving
    }
}

extension Agenda: Codable where Item: Codable {}
extension Agenda.Entry: Codable where Item: Codable {}
