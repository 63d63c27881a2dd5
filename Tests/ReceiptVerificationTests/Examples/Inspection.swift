#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// A line that `InspectReceipt --json` prints.
struct Inspection: Decodable {
    struct Purchase: Decodable, Equatable {
        var product: String?
        var transaction: String?
        var originalTransaction: String?
        var quantity: Int?
        var purchased: String?
        var expires: String?
        var revoked: String?
    }

    let file: String
    let format: String?
    let verdict: String
    let reason: String?
    let offset: Int?
    let environment: String?
    let bundle: String?
    let purchases: [Purchase]?

    /// Runs the example on some files, and checks that each has its line with all keys in their order.
    static func run(_ files: [String], _ options: [String] = []) throws -> (status: Int32, lines: [Inspection]) {
        let result = try Executable(name: "InspectReceipt").run(options + ["--json", "--"] + files)
        #expect(result.errors.isEmpty)
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == files.count)
        let shape =
            /\{"file":.+,"format":(null|".+"),"verdict":".+","reason":.+,"offset":.+,"environment":.+,"bundle":.+,"purchases":.+\}/
            .dotMatchesNewlines()
        for line in lines { #expect(line.wholeMatch(of: shape) != nil, "\(line)") }
        let inspections = try lines.map { try JSONDecoder().decode(Inspection.self, from: Data($0.utf8)) }
        #expect(inspections.map(\.file) == files)
        return (result.status, inspections)
    }
}
#endif
