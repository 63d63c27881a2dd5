#if os(macOS) || os(Linux)
import Foundation

/// Runs the examples as a newcomer does, each in a process of its own.
struct Example {
    /// What a run printed, and how it ended.
    struct Result {
        let status: Int32
        let output: Data
        let errors: String
    }

    let name: String

    /// The folder of everything that was built: the tests' bundle lies in it (macOS), or their executable does (Linux).
    private static var products: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }

    /// Runs the example with arguments and with what a person would type, which is a few lines at most.
    func run(_ arguments: String..., typing input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = Self.products.appending(path: name)
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
