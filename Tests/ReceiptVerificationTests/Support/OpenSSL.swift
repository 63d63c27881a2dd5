import Foundation
import TestSupport

/// The `openssl` command, an independent judge where it is installed.
enum OpenSSL {
    static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isAvailable: Bool { path != nil }

    /// Runs the command in a folder and gives its exit code; what it writes is of no interest.
    static func run(_ arguments: [String], in folder: URL) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: path ?? "")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Makes a P-256 key in PKCS#8 form, `key.pem` in the folder.
    static func makeKey(in folder: TemporaryFolder) throws -> Data {
        _ = try run(
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.pem"], in: folder.url)
        return try Data(contentsOf: folder.url.appending(path: "key.pem"))
    }

    /// Writes a DER certificate into a folder as PEM.
    static func writeCertificates(_ certificates: [Data], to name: String, in folder: URL) throws {
        let text = certificates.map {
            "-----BEGIN CERTIFICATE-----\n\($0.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]))\n-----END CERTIFICATE-----\n"
        }
        try Data(text.joined().utf8).write(to: folder.appending(path: name))
    }
}
