import Foundation

/// One life after the other, until so many steps are taken or something is wrong.
struct Soak: Sendable {
    /// How many steps one life has: enough for things to come together, and little enough to be shrunk soon.
    static let stepsPerLife = 120

    let stepCount: Int
    let seed: UInt32
    /// Whether somebody watches who likes to see that it goes on.
    let showsProgress: Bool

    /// Returns whether all was as it must be.
    @MainActor
    func run() async -> Bool {
        print("Soak: \(stepCount) steps, seed \(seed)")
        let began = ContinuousClock().now
        var taken = 0
        var lives: UInt32 = 0
        while taken < stepCount {
            let scenario = Scenario.random(seed: seed &+ lives, length: min(Self.stepsPerLife, stepCount - taken))
            let life = await Life.live(scenario)
            if let fault = life.faults.first {
                await report(scenario, fault)
                return false
            }
            taken += scenario.steps.count
            lives += 1
            if showsProgress, lives % 20 == 0 { showProgress(taken) }
        }
        if showsProgress { showProgress(taken) }
        let seconds = (ContinuousClock().now - began).components.seconds
        print("\(showsProgress ? "\n" : "")\(taken) steps in \(lives) lives, \(seconds) s: all as it must be.")
        return true
    }

    /// Lives a scenario again, and tells what happens.
    @MainActor
    static func replay(_ scenario: Scenario) async -> Bool {
        let life = await Life.live(scenario, tellsStory: true)
        for line in life.story { print(line) }
        for fault in life.faults { print("✗ \(fault)") }
        return life.faults.isEmpty
    }

    @MainActor
    private func report(_ scenario: Scenario, _ fault: Life.Fault) async {
        print(
            "\n✗ \(fault)\nlife \(scenario.seed), of \(scenario.steps.count) steps. Looking for a short one that ends so too…"
        )
        let short = await Self.shrink(scenario, to: fault.rule)
        print("\(short.steps.count) steps are enough; again with: Soak --replay FILE, of these lines:\n\n\(short.text)")
        _ = await Self.replay(short)
    }

    /// A shorter scenario that breaks the same rule.
    @MainActor
    static func shrink(_ scenario: Scenario, to rule: String) async -> Scenario {
        let steps = await shrunk(scenario.steps) { steps in
            await Life.live(Scenario(seed: scenario.seed, steps: steps)).faults.first?.rule == rule
        }
        return Scenario(seed: scenario.seed, steps: steps)
    }

    private func showProgress(_ taken: Int) {
        let width = 40
        let filled = min(width, taken * width / max(1, stepCount))
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        print("\r[\(bar)] \(taken) of \(stepCount) steps", terminator: "")
        fflush(nil)
    }
}
