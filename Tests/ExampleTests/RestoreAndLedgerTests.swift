#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@Suite("The example of a purchase that survives a crash")
struct RestoreAndLedgerTests {
    let example = Executable(name: "RestoreAndLedger")
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "S03 killed after any stage, the purchase comes back unless it was finished, and is counted once",
        arguments: ["verify", "persist", "deliver", "finish"])
    func crash(stage: String) throws {
        let killed = try example.run("--folder", folder.url.path, "--crash-after", stage)
        #expect(killed.status == SIGKILL)
        #expect(killed.text.contains("killed after: \(stage)"))
        let next = try example.run("--folder", folder.url.path)
        #expect(next.status == 0, "\(next.text)")
        #expect(next.text.contains("transaction 1\n") == (stage != "finish"))
        #expect(next.text.contains("the ledger counts 6"))
    }

    @Test("S06 a ledger that does not count what was bought ends with status 1")
    func difference() throws {
        #expect(try example.run("--folder", folder.url.path).status == 0)
        try FileManager.default.removeItem(at: folder.url.appending(path: "ledger"))
        let result = try example.run("--folder", folder.url.path)
        #expect(result.status == 1)
        #expect(result.text.contains("the ledger counts 3, where the ledger counts 6 was expected"))
    }

    @Test("S07 a damaged store is reported with its file, and ends with status 1")
    func damaged() throws {
        try Data("nonsense".utf8).write(to: folder.url.appending(path: "store"))
        let result = try example.run("--folder", folder.url.path)
        #expect(result.status == 1)
        #expect(result.errors.contains(folder.url.appending(path: "store").path))
    }

    @Test("A stage that does not exist ends with status 64 and says which there are")
    func usage() throws {
        let result = try example.run("--crash-after", "breakfast")
        #expect(result.status == 64)
        for stage in ["breakfast", "verify", "persist", "deliver", "finish"] { #expect(result.errors.contains(stage)) }
    }
}
#endif
