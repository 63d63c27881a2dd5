#if os(macOS) || os(Linux)
package import Foundation

/// A program of the package, run as a newcomer does: in a process of its own.
package struct Executable: Sendable {
    /// What a run printed, and how it ended.
    package struct Result: Sendable {
        /// The exit status, or the number of the signal that ended it.
        package let status: Int32
        package let output: Data
        package let errors: String

        /// What it printed, as text.
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    private let name: String

    package init(name: String) { self.name = name }

    /// Where it lies: beside the tests' bundle (macOS), or their executable (Linux).
    package var url: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let folder = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        return folder.appending(path: name)
    }

    /// Runs it to its end, with arguments and with what a person would type, which is a few lines at most.
    package func run(_ arguments: String..., typing input: String = "") throws -> Result {
        try run(arguments, typing: input)
    }

    /// Runs it with arguments that a test has put together.
    package func run(_ arguments: [String], typing input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        let typed = Pipe()
        typed.fileHandleForWriting.write(Data(input.utf8))
        try typed.fileHandleForWriting.close()
        process.standardInput = typed
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let outputData = output.fileHandleForReading.readDataToEndOfFile()
        let errorData = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: outputData, errors: String(decoding: errorData, as: UTF8.self))
    }
}
#endif
