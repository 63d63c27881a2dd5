import Foundation
import Testing

@Suite("Documentation of the simulated store")
struct DocumentationTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent()

    private func page(_ name: String) throws -> String {
        let folder = root.appending(path: "../../../Sources/StoreSimulator/StoreSimulator.docc")
        return try String(contentsOf: folder.appending(path: "\(name).md"), encoding: .utf8)
    }

    /// The Swift code of a page, block by block.
    private func code(on page: String) -> [String] {
        page.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }

    /// The lines of a text without their indentation, and without empty ones.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("C02 what the pages show is what is compiled and run", arguments: ["TestingYourApp", "Previews"])
    func examples(name: String) throws {
        let compiled = lines(try String(contentsOf: root.appending(path: "CoinShopTests.swift"), encoding: .utf8))
        let blocks = code(on: try page(name))
        #expect(!blocks.isEmpty)
        for block in blocks {
            let shown = lines(block)
            let places = compiled.indices.filter { compiled[$0...].starts(with: shown) }
            #expect(places.count == 1, "\(block)")
        }
    }
}
