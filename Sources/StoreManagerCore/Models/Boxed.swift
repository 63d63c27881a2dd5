/// A large value, kept by reference: a copy costs one reference count. To change a copy leaves the others as they are.
struct Boxed<Value: Sendable>: Sendable {
    /// `@unchecked Sendable` is right because `value` changes only while there is a single reference to the box, which is that
    /// of whoever changes it.
    private final class Box: @unchecked Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value { box.value }

    /// Changes the value, in place where nobody else has it.
    mutating func edit(_ change: (inout Value) -> Void) {
        if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
        change(&box.value)
    }
}

extension Boxed: Equatable where Value: Equatable {
    static func == (one: Boxed, other: Boxed) -> Bool { one.box === other.box || one.value == other.value }
}

extension Boxed: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
