import TestSupport
import Testing

@testable import StoreManagerCore

/// The transition function, on its own: every input in every state that can be reached.
struct LifecycleTests {
    @Test("S01 a success is verified, written down, downloaded, handed over, finished and published, in this order")
    func orderOfASuccess() {
        var lifecycle = TransactionLifecycle(origin: .request)
        let inputs: [TransactionLifecycle.Input] = [
            .arrived(.sample()), .known(.new), .verdict(.valid), .persisted, .downloaded, .delivered, .finished,
        ]
        let effects = inputs.flatMap { lifecycle.handle($0) }.map(\.name)
        #expect(
            effects == [
                "lookUp", "verify", "persist", "download", "deliver purchased", "finish", "recordFinish",
                "publish purchased", "end",
            ])
        #expect(lifecycle.phase == .done)
    }

    @Test("every input in every state does what the table says, and what the table does not list does nothing")
    func everythingThatCanHappen() {
        let inputs = TransactionLifecycle.Input.samples.map { (name: $0.name, input: $0) }
        var unused = Set(LifecycleRule.all)
        var seen: Set<LifecycleState> = []
        var complaints: [String] = []
        var open = TransactionLifecycle.Origin.allCases.flatMap { origin in
            [false, true].map { TransactionLifecycle(origin: origin, finishesManually: $0) }
        }
        while let lifecycle = open.popLast() {
            let before = LifecycleState(lifecycle)
            guard seen.insert(before).inserted else { continue }
            for (name, input) in inputs {
                let state = LifecycleCase(lifecycle: lifecycle, input: input, inputName: name)
                let rules = LifecycleRule.byPhaseAndInput[.init(phase: before.phase, input: name)] ?? []
                let matching = rules.filter { $0.conditions.allSatisfy(state.fulfils) }
                unused.subtract(matching)
                var next = lifecycle
                let effects = next.handle(input).map(\.name)
                open.append(next)
                if let complaint = complaint(about: matching, state, before, LifecycleState(next), effects) {
                    complaints.append("\(state)\n\(complaint)")
                }
            }
        }
        #expect(unused.map(\.line) == [], "These lines of the table describe nothing that can happen.")
        #expect(seen.count > 500, "The states that can be reached were not all looked at.")
        #expect(
            Mirror(reflecting: TransactionLifecycle(origin: .request)).children.count == 8, "Extend LifecycleState.")
        for complaint in complaints.prefix(5) { Issue.record(Comment(rawValue: complaint)) }
        if !complaints.isEmpty {
            Issue.record("\(complaints.count) cases differ from the table:\n\(LifecycleTable.text)")
        }
    }

    /// What differs from the table; nil if all is well.
    private func complaint(
        about rules: [LifecycleRule], _ state: LifecycleCase, _ before: LifecycleState,
        _ after: LifecycleState, _ effects: [String]
    ) -> String? {
        if rules.count > 1 { return "has several lines: \(rules.map(\.line))" }
        guard let rule = rules.first else {
            return after == before && effects.isEmpty ? nil : "is not in the table, and did \(effects) -> \(after)"
        }
        var (expected, expectedEffects) = rule.expectation(for: before)
        expected.transaction = state.input.transaction(after: state.lifecycle.transaction).map(LifecycleState.Kind.init)
        // What the outcome becomes is seen from the effects that carry it.
        expected.outcome = after.outcome
        guard after != expected || effects != expectedEffects else { return nil }
        return "by \(rule.line)\nexpected \(expectedEffects) -> \(expected)\ndid \(effects) -> \(after)"
    }
}
