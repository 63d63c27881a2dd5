/// Those who wait, by number, the lowest first. Nobody's coming or leaving costs more because there are many.
struct WaitingLine<Element> {
    private struct Place {
        var number: UInt64
        var element: Element?
    }

    /// In the order of their numbers; whoever left holds the place until there are many such places.
    private var places: [Place] = []
    /// All places before this one are empty.
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds an element. Most have a higher number than all others; no number is used twice.
    mutating func insert(_ element: Element, number: UInt64) {
        let index = index(of: number)
        places.insert(Place(number: number, element: element), at: index)
        head = min(head, index)
        count += 1
    }

    /// Takes the element of a number out; nil if it is not there.
    @discardableResult
    mutating func remove(_ number: UInt64) -> Element? {
        let index = index(of: number)
        guard index < places.count, places[index].number == number, let element = places[index].element else {
            return nil
        }
        places[index].element = nil
        count -= 1
        while head < places.count, places[head].element == nil { head += 1 }
        if places.count > 16, count < places.count / 2 {
            places.removeAll { $0.element == nil }
            head = 0
        }
        return element
    }

    /// The first element, in the order of the numbers, that fulfils a condition.
    func first(where isWanted: (Element) -> Bool = { _ in true }) -> (number: UInt64, element: Element)? {
        for place in places[head...] {
            if let element = place.element, isWanted(element) { return (place.number, element) }
        }
        return nil
    }

    /// The first place whose number is not lower.
    private func index(of number: UInt64) -> Int {
        if let last = places.last, last.number < number { return places.count }
        var (low, high) = (head, places.count)
        while low < high {
            let middle = low + (high - low) / 2
            if places[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
