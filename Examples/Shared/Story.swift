/// What an example tells as it runs: numbered steps, each with the ending that it should have.
///
/// At the end the process's status says whether every step ended as it should.
@MainActor
public final class Story {
    private var steps = 0
    private var surprises = 0

    /// Begins a story with its title.
    public init(_ title: String) { print(title) }

    /// Tells a step: begins it, and waits until it reports its ending, which is compared with the one expected.
    ///
    /// - Parameters:
    ///   - title: what is tried.
    ///   - expected: the ending it should have.
    ///   - begin: begins it, and reports the ending once.
    public func step(
        _ title: String, expecting expected: String, _ begin: (@escaping @MainActor (String) -> Void) -> Void
    ) async {
        number(title)
        let step = steps
        var hasEnded = false
        let ending = await withCheckedContinuation { continuation in
            begin { [weak self] ending in
                if hasEnded {
                    self?.surprise("step \(step) ended once more: \(ending)")
                } else {
                    hasEnded = true
                    continuation.resume(returning: ending)
                }
            }
        }
        if ending == expected { print("   ✓ \(ending)") } else { surprise("\(ending), where \(expected) was expected") }
    }

    /// Tells that a step is left out.
    public func skip(_ title: String, because reason: String) {
        number(title)
        print("   – skipped: \(reason)")
    }

    /// Tells something on the way.
    public func note(_ line: String) { print("   \(line)") }

    /// Ends the story; the status is 0 if every step ended as it should.
    public func end() -> Int32 {
        print(
            surprises == 0 ? "\nEverything went as it should." : "\nNot as it should: \(surprises) of \(steps) steps.")
        return surprises == 0 ? 0 : 1
    }

    private func number(_ title: String) {
        steps += 1
        print("\n\(steps). \(title)")
    }

    private func surprise(_ text: String) {
        surprises += 1
        print("   ✗ \(text)")
    }
}
