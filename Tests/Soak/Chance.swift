import StoreSimulator

extension SplitMix64 {
    /// Whether something happens.
    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    /// A number from 0 on.
    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &self) }

    /// One of several; nil where there are none.
    mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &self) }
}
