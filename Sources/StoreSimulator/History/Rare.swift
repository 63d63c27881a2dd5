/// A value that few have, kept apart: those who have none pay for a pointer only.
@propertyWrapper
struct Rare<Value: Codable & Sendable>: Codable, Sendable {
    private indirect enum Box: Sendable {
        case empty
        case full(Value)
    }

    private var box: Box

    init(wrappedValue: Value?) { box = wrappedValue.map(Box.full) ?? .empty }

    var wrappedValue: Value? {
        get { if case .full(let value) = box { value } else { nil } }
        set { box = newValue.map(Box.full) ?? .empty }
    }

    /// Whether there is none, which is cheaper to ask than what there is.
    var isEmpty: Bool { if case .empty = box { true } else { false } }

    /// The value itself.
    var projectedValue: Rare { self }

    /// Reads the value, or nothing.
    init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value?.self))
    }

    /// Writes the value, or nothing.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
