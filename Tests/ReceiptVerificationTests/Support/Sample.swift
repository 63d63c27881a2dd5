import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

/// One file of the corpus with what is known of it.
struct Sample: CustomTestStringConvertible, Sendable {
    /// Its path inside the corpus's folder of receipts.
    let path: String
    /// What it is and what is right, for people.
    let verdict: String
    /// `ok`, `invalid`, `policy` (either answer is defensible) or `xcode`.
    let kind: String
    /// The app that the caller expects.
    let bundleIdentifier: String?
    /// The file of the root to trust.
    let root: String?
    /// How many purchases it holds.
    let purchaseCount: Int?
    /// Its environment, for a JWS.
    var environment = StoreEnvironment.sandbox
    /// The App Store's number of the app, for a JWS.
    var appAppleID: Int64?
    /// Which sort of signed data is expected.
    var dataKind: SignedDataKind?
    /// The device that it was issued to.
    var device: Data?

    var testDescription: String { path }

    var data: Data { get throws { try Data(contentsOf: Corpus.url("receipts/\(path)")) } }

    var roots: TrustedRoots {
        get throws { try root.map { try TrustedRoots([Data(contentsOf: Corpus.url("receipts/\($0)"))]) } ?? .apple }
    }

    /// The samples in INDEX.tsv whose path begins with one of the folders.
    static func indexed(_ folders: String...) -> [Sample] {
        let text = (try? String(contentsOf: Corpus.url("receipts/INDEX.tsv"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count > 9, !fields[8].isEmpty, folders.contains(where: fields[0].hasPrefix) else { return nil }
            var sample = Sample(
                path: fields[0], verdict: fields[4], kind: fields[8],
                bundleIdentifier: fields[5].isEmpty ? nil : fields[5], root: fields[9].isEmpty ? nil : fields[9],
                purchaseCount: Int(fields[6]))
            if fields[1].contains("JWS transaction") { sample.dataKind = .transaction }
            if fields[1].contains("JWS renewal") { sample.dataKind = .renewalInfo }
            if fields[1].contains("JWS appTransaction") { sample.dataKind = .appTransaction }
            if fields[1].contains("JWS notification") { sample.dataKind = .notification }
            if fields[2].contains("production") { sample.environment = .production }
            sample.appAppleID = fields.count > 10 ? Int64(fields[10]) : nil
            return sample
        }
    }

    /// The made samples in a folder, as `expect.json` describes them.
    static func synthetic(_ folder: String) -> [Sample] {
        guard let data = try? Data(contentsOf: Corpus.url("receipts/synthetic/expect.json")),
            let all = try? JSONDecoder().decode([String: Expectation].self, from: data)
        else { return [] }
        return all.filter { $0.key.hasPrefix("synthetic/\(folder)/") }.sorted { $0.key < $1.key }.map {
            path, expected in
            var sample = Sample(
                path: path, verdict: expected.why,
                kind: expected.policy == 1 ? "policy" : expected.ok ? "ok" : "invalid",
                bundleIdentifier: expected.bundle, root: expected.root, purchaseCount: expected.iap)
            sample.environment = expected.env.map(StoreEnvironment.init(rawValue:)) ?? .sandbox
            sample.appAppleID = expected.app
            sample.dataKind = expected.kind.flatMap(SignedDataKind.init(rawValue:))
            sample.device = expected.device.map { Data(hexadecimal: $0) }
            return sample
        }
    }

    private struct Expectation: Decodable {
        let ok: Bool
        let why: String
        let policy: Int
        let bundle: String
        let root: String
        let iap: Int?
        let env: String?
        let app: Int64?
        let kind: String?
        let device: String?
    }
}

extension Data {
    /// The bytes that pairs of hexadecimal digits stand for.
    init(hexadecimal: String) {
        let digits = Array(hexadecimal)
        self.init(
            stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
    }
}
