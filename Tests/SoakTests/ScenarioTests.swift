import Testing

@testable import Soak

/// Lives as values.
@MainActor
@Suite("Scenarios")
struct ScenarioTests {
    @Test("a scenario is read as it was written")
    func text() throws {
        let scenario = Scenario.random(seed: 12, length: 200)
        #expect(try Scenario(text: scenario.text) == scenario)
        #expect(Set(scenario.steps.map(\.kind)).count > 20)
        let commented = "# a comment\n\nlife 3\n  buy 17  # coins\nsettle 0\n"
        #expect(try Scenario(text: commented).text == "life 3\nbuy 17\nsettle 0\n")
    }

    @Test(
        "a line that is none is named",
        arguments: [("life x\n", 1), ("buy 1\n", 1), ("life 1\nbuy\n", 2), ("life 1\n\nsell 4\n", 3), ("", 1)])
    func unreadable(text: String, line: Int) {
        #expect { try Scenario(text: text) } throws: { ($0 as? Scenario.Unreadable)?.line == line }
    }

    @Test("one seed gives one scenario")
    func seeds() {
        #expect(Scenario.random(seed: 1, length: 50) == .random(seed: 1, length: 50))
        #expect(Scenario.random(seed: 1, length: 50) != .random(seed: 2, length: 50))
    }
}
