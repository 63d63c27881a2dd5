import Foundation
import Testing

/// What the fuzzer found once, and what it begins with, is read ever after.
@MainActor
@Suite("Inputs of the fuzzer")
struct SavedInputTests {
    @Test("X03 C01 whatever once crashed a reader is read, or refused with words", arguments: FuzzTarget.allCases)
    func savedInputs(target: FuzzTarget) async throws {
        for folder in ["Crashes", "Seeds"] {
            for file in Self.files(in: "\(folder)/\(target.rawValue)") { await target.read(try Data(contentsOf: file)) }
        }
    }

    @Test("X03 C01 there is something to read for what has no corpus", arguments: [FuzzTarget.ledger, .storefront])
    func seeds(target: FuzzTarget) { #expect(!Self.files(in: "Seeds/\(target.rawValue)").isEmpty) }

    @Test("X03 C01 bytes that are nothing are refused by every reader", arguments: FuzzTarget.allCases)
    func nothing(target: FuzzTarget) async {
        for byte in [UInt8(0), 0x30, 0x7B, 0x80, 0xFF] {
            for count in [0, 1, 2, 100] { await target.read(Data(repeating: byte, count: count)) }
        }
    }

    private static func files(in folder: String) -> [URL] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: folder)
        let files = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
