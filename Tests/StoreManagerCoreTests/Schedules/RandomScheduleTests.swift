import Testing

/// Ten thousand random schedules.
@MainActor
struct RandomScheduleTests {
    @Test(
        "P04 P10 F11 F10 M01 random schedules: no handler is called twice, never, early or from inside a call",
        arguments: (0..<10).map { $0 * 1_000 })
    func thousand(first: Int) async {
        for seed in first..<first + 1_000 {
            let faults = await faults(of: UInt64(seed))
            guard !faults.isEmpty else { continue }
            let again = Schedule(seed: UInt64(seed), isLogged: true)
            await again.run()
            Issue.record("seed \(seed): \(faults.joined(separator: "; "))\n\(again.log.joined(separator: "\n"))")
            #expect(again.faults == faults, "seed \(seed) is not reproducible")
            return
        }
    }

    private func faults(of seed: UInt64) async -> [String] {
        let schedule = Schedule(seed: seed)
        await schedule.run()
        return schedule.faults
    }
}
