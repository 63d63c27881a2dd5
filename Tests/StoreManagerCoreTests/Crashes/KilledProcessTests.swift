#if os(macOS) || os(Linux)
import TestSupport
import Testing

@Suite("A process that is killed for real")
struct KilledProcessTests {
    /// The full count is run on its own; see `.ci/run`.
    @Test("S03 S07 an app that is killed at random instants loses nothing, and counts nothing twice")
    func killed() throws {
        let result = try Executable(name: "CrashProof").run("--kills", "12")
        #expect(result.status == 0, "\(result.text)\(result.errors)")
        #expect(result.text.contains("12 of 12 kills"))
    }
}
#endif
