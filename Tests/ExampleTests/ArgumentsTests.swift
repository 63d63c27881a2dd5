import ExampleSupport
import Testing

@Suite("The arguments of an example")
struct ArgumentsTests {
    static let options = [Option.configuration, Option("--list", help: "print the catalogue")]

    @Test(
        "A value follows its option or stands behind an equals sign",
        arguments: [
            ([], nil, false), (["--list"], nil, true), (["--configuration", "a"], "a", false),
            (["--configuration=a=b", "--list"], "a=b", true),
            (["--list", "--configuration", "-"], "-", true),
        ] as [([String], String?, Bool)])
    func reading(words: [String], configuration: String?, list: Bool) throws {
        let arguments = try Arguments(words, options: Self.options)
        #expect(arguments["--configuration"] == configuration)
        #expect(arguments.has("--list") == list)
    }

    @Test(
        "A command line that cannot be followed is reported with what would be right",
        arguments: [
            (["--lst"], "--list"), (["Shop.storekit"], "--configuration FILE"), ([""], "--list"),
            (["--configuration"], "--configuration FILE"), (["--configuration="], "--configuration FILE"),
            (["--configuration", "--list"], "--configuration FILE"), (["--list=yes"], "right would be --list"),
            (["--list", "--list"], "--list stands there twice"),
            (["--configuration", "a", "--configuration=b"], "--configuration stands there twice"),
        ])
    func errors(words: [String], remedy: String) {
        let error = #expect(throws: UsageError.self) { try Arguments(words, options: Self.options) }
        #expect(error?.description.contains(remedy) == true)
    }

    @Test("A command that works on files takes words that are no options, and whatever follows two dashes")
    func operands() throws {
        let words = ["a", "--list", "-", "--configuration", "b", "--", "--list", "-c", ""]
        let arguments = try Arguments(words, options: Self.options, takesOperands: true)
        #expect(arguments.operands == ["a", "-", "--list", "-c", ""])
        #expect(arguments["--configuration"] == "b" && arguments.has("--list"))
        #expect(throws: UsageError.self) { try Arguments(["-c"], options: Self.options, takesOperands: true) }
    }

    @Test("An option that may be repeated keeps all its values in their order")
    func repeated() throws {
        let option = Option("--root", value: "FILE", isRepeatable: true, help: "trust this")
        let arguments = try Arguments(["--root", "b", "--root=a"], options: [option])
        #expect(arguments.all("--root") == ["b", "a"] && arguments.all("--list").isEmpty)
    }
}
