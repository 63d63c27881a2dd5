#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@Suite("The storefront example")
struct StorefrontTests {
    let storefront = Executable(name: "Storefront")

    @Test("C01 --list prints the shop of the example as a table")
    func list() throws {
        let result = try storefront.run("--list")
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        #expect(result.status == 0)
        #expect(result.errors == "")
        #expect(lines.count == 9)
        #expect(lines.contains { $0.hasPrefix("Club ") && $0.contains("$4.99") && $0.contains("free for 1 week") })
    }

    @Test("C01 --list --json prints one document")
    func json() throws {
        let result = try storefront.run("--list", "--json")
        #expect(result.status == 0)
        let document = try JSONValue(data: result.output)
        #expect(document[[.key("version")]] == .string("4.0"))
        #expect(document[[.key("products"), .index(0), .key("id")]] == .string("com.example.club.monthly"))
    }

    @Test(
        "C01 --configuration takes any other file",
        .enabled(if: Corpus.isAvailable, "there is no corpus beside the project"))
    func otherFile() throws {
        let result = try storefront.run(
            "--configuration", Corpus.url("storekit/v5.0-03.storekit").path, "--list", "--json")
        let expected = try Data(contentsOf: Corpus.url("storekit/v5.0-03.expected.json"))
        #expect(try JSONValue(data: result.output) == JSONValue(data: expected))
    }

    @Test("C01 a file that cannot be read ends with status 1 and says why on standard error")
    func unreadable() throws {
        let result = try storefront.run("--configuration", "/no/such/Shop.storekit", "--list")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("Shop.storekit"))
    }

    @Test(
        "A wrong command line ends with status 64 and says what would be right",
        arguments: ["--lst", "--seed=x", "file"])
    func usage(word: String) throws {
        let result = try storefront.run(word)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(word == "--seed=x" ? "--seed 7" : "--list"))
    }

    @Test("--help names every option and ends with status 0")
    func help() throws {
        let result = try storefront.run("--help")
        let text = String(decoding: result.output, as: UTF8.self)
        #expect(result.status == 0)
        for option in ["--configuration FILE", "--list", "--json", "--help"] { #expect(text.contains(option)) }
    }
}
#endif
