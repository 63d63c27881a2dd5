import Foundation
public import StoreSimulator

/// An example as a command: what it is called, what it does, and which options it understands.
public struct Command: Sendable {
    /// The status of a command that was called wrongly (`EX_USAGE` of sysexits).
    public static let usageStatus: Int32 = 64

    /// The command's name.
    public let name: String
    /// What it does, in a sentence.
    public let summary: String
    /// The options; `--help` is always among them.
    public let options: [Option]
    /// What the words that are no options are called in the help, such as `FILE...`; nil where there are none.
    public let operands: String?

    /// Describes a command.
    public init(_ name: String, summary: String, options: [Option], operands: String? = nil) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options + [Option("--help", help: "print this text")]
    }

    /// The arguments of this process. With `--help` prints the help and ends with status 0; a wrong command line is reported
    /// and ends with status 64.
    public func arguments() -> Arguments {
        do {
            let arguments = try Arguments(
                Array(CommandLine.arguments.dropFirst()), options: options, takesOperands: operands != nil)
            guard !arguments.has("--help") else {
                print(help)
                exit(0)
            }
            return arguments
        } catch {
            fail(error)
        }
    }

    /// The configuration that `--configuration` names, else with `--shared` the one that the environment variable
    /// `STOREKIT_CONFIGURATION` names, else the examples' own little shop. One that cannot be read is reported
    /// and ends the process with status 1.
    public func configuration(_ arguments: Arguments) -> StoreConfiguration {
        let shop = Bundle.module.url(forResource: "Shop", withExtension: "storekit")
        let environment = arguments.has(Option.shared.name) ? ProcessInfo.processInfo.environment : [:]
        let path = arguments[Option.configuration.name] ?? environment["STOREKIT_CONFIGURATION"] ?? ""
        let url = path.isEmpty ? shop : URL(filePath: path)
        guard let url else { fail("the examples' own configuration is missing", status: 1) }
        do {
            return try StoreConfiguration(contentsOf: url)
        } catch {
            fail(error.description, status: 1)
        }
    }

    /// The number that an option was given, nil where it was not; anything else is reported and ends the process with status 64.
    public func number(_ name: String, _ arguments: Arguments) -> UInt64? {
        guard let text = arguments[name] else { return nil }
        guard let number = UInt64(text) else {
            fail(UsageError(description: "\(name) needs a whole number, such as 300, and not \"\(text)\""))
        }
        return number
    }

    /// Reports a wrong command line, and ends the process with status 64.
    public func fail(_ error: UsageError) -> Never {
        fail("\(error.description)\nTry \(name) --help.", status: Self.usageStatus)
    }

    /// Reports an error on standard error, and ends the process.
    public func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("\(name): \(message)\n".utf8))
        exit(status)
    }

    /// The text that `--help` prints.
    var help: String {
        let width = options.map(\.usage.count).max() ?? 0
        let lines = options.map { "  \($0.usage.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.help)" }
        let usage = ["usage: \(name) [options]", operands].compactMap(\.self).joined(separator: " ")
        return ([usage, "", summary, ""] + lines).joined(separator: "\n")
    }
}
