import ExampleSupport
import Foundation
import ReceiptVerification
import StoreManagerCore

/// What receipts and signed data are checked for. A check whose option is absent is nil, and not made.
struct Checks {
    static let options = [
        Option(
            "--root", value: "FILE", isRepeatable: true,
            help: "trust this root, DER or PEM, instead of Apple's; may be repeated"),
        Option("--bundle", value: "ID", help: "expect this bundle identifier"),
        Option("--app-id", value: "N", help: "expect this App Store number of the app, in production"),
        Option("--environment", value: "NAME", help: "expect \(environmentNames.joined(separator: ", "))"),
        Option("--kind", value: "KIND", help: "expect \(kindNames.joined(separator: ", "))"),
        Option("--version", value: "V", help: "expect this version of the app"),
        Option(
            "--device", value: "HEX", help: "expect a receipt for this device: identifierForVendor, or a Mac's address"),
        Option("--at", value: "DATE", help: "look at everything as of this date, such as 2024-01-31T12:00:00Z"),
    ]

    private static let environments: [StoreEnvironment] = [.production, .sandbox, .xcode, .localTesting]
    private static let environmentNames = environments.map(\.rawValue)
    private static let kindNames = SignedDataKind.allCases.map(\.rawValue)

    var roots = TrustedRoots.apple
    var bundleIdentifier: String?
    var appAppleID: Int64?
    var environment: StoreEnvironment?
    var kind: SignedDataKind?
    var applicationVersion: String?
    var deviceIdentifier: Data?
    var date: Date?

    init(_ arguments: Arguments) throws(UsageError) {
        bundleIdentifier = arguments["--bundle"]
        applicationVersion = arguments["--version"]
        if !arguments.all("--root").isEmpty { roots = try Self.roots(in: arguments.all("--root")) }
        appAppleID = try Self.value("--app-id", arguments, "a number such as 1234567890") { text in
            Int64(text).flatMap { $0 >= 0 ? $0 : nil }
        }
        environment = try Self.value("--environment", arguments, Self.environmentNames.joined(separator: ", ")) {
            name in
            Self.environments.first { $0.rawValue == name }
        }
        kind = try Self.value("--kind", arguments, Self.kindNames.joined(separator: ", "), SignedDataKind.init)
        deviceIdentifier = try Self.value(
            "--device", arguments, "6 or 16 bytes as pairs of hexadecimal digits", Data.init(deviceIdentifier:))
        date = try Self.value(
            "--at", arguments, "a date such as 2024-01-31 or 2024-01-31T12:00:00Z", Date.init(iso8601:))
    }

    /// The environments for the verifiers.
    var environments: Set<StoreEnvironment>? { environment.map { [$0] } }

    /// Reads the value of an option; nil where it was not given.
    private static func value<Value>(
        _ option: String, _ arguments: Arguments, _ right: String, _ read: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = arguments[option] else { return nil }
        guard let value = read(text) else {
            throw UsageError(description: "\(option) cannot be \"\(text)\"; right would be \(right)")
        }
        return value
    }

    private static func roots(in files: [String]) throws(UsageError) -> TrustedRoots {
        var contents: [Data] = []
        for file in files {
            do {
                let data = try readFile(file)
                _ = try TrustedRoots([data])
                contents.append(data)
            } catch {
                throw UsageError(
                    description: "--root \(file) cannot be used: \(error.localizedDescription); right would be a "
                        + "certificate in DER or PEM")
            }
        }
        do {
            return try TrustedRoots(contents)
        } catch {
            throw UsageError(description: "--root: \(error.localizedDescription)")
        }
    }
}

/// The most bytes that are read of a file; one more than anything that can be a receipt has.
let maximumFileSize = AppReceipt.maximumByteCount + 1

/// Reads a file, but no more of it than is needed to find it too large.
func readFile(_ path: String) throws -> Data {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { throw FolderError() }
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    return try file.read(upToCount: maximumFileSize) ?? Data()
}

/// A folder stands where a file is needed.
private struct FolderError: LocalizedError {
    var errorDescription: String? { "This is a folder, not a file." }
}

extension Data {
    /// The bytes of `identifierForVendor` or of a MAC address, in pairs of hexadecimal digits with or without `:` or `-` between
    /// them.
    fileprivate init?(deviceIdentifier text: String) {
        let digits = text.filter { $0 != ":" && $0 != "-" }.map(\.hexDigitValue)
        guard digits.count == 2 * 6 || digits.count == 2 * 16 else { return nil }
        self.init()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            append(UInt8(high << 4 | low))
        }
    }
}

extension Date {
    /// A day, or a date and time with its offset from UTC.
    fileprivate init?(iso8601 text: String) {
        // The styles are content with a text that only begins so, and count February 30 as March 2.
        let day = ISO8601FormatStyle().year().month().day()
        guard let start = try? day.parse(String(text.prefix(10))), day.format(start) == text.prefix(10) else {
            return nil
        }
        if text.count == 10 {
            self = start
            return
        }
        guard
            text.wholeMatch(of: /.{10}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2})/)
                != nil
        else { return nil }
        let styles = [ISO8601FormatStyle(), ISO8601FormatStyle(includingFractionalSeconds: true)]
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else { return nil }
        self = date
    }

    /// The date in UTC, to the millisecond where it is no whole second; nil where no calendar goes so far.
    var iso8601: String? {
        guard -62_135_596_800..<253_402_300_800 ~= timeIntervalSince1970 else { return nil }
        let isWhole = timeIntervalSince1970 == timeIntervalSince1970.rounded()
        return formatted(ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
    }
}
