package import Testing

/// Lets the tests over the one global store of the double, of whatever suite and target, run one after the other.
package struct StoreTurn: TestTrait, SuiteTrait, TestScoping, Sendable {
    /// Whether suites hand the trait down to their tests.
    package let isRecursive = true

    /// Runs a test, or one case of it, when no other has its turn.
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Turns.shared.begin()
        do {
            try await function()
            await Turns.shared.end()
        } catch {
            await Turns.shared.end()
            throw error
        }
    }
}

extension Trait where Self == StoreTurn {
    /// See ``StoreTurn``.
    package static var overTheStore: StoreTurn { StoreTurn() }
}

/// Whose turn it is, first come, first served.
private actor Turns {
    static let shared = Turns()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
