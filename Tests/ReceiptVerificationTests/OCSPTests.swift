#if !canImport(CryptoKit)
import Foundation
import ReceiptVerification
import TestSupport
import Testing

@Suite("Asking OCSP services", .enabled(if: OpenSSL.isAvailable))
struct OCSPTests {
    @Test(
        "J05 a service's answer counts: good is good, revoked is revoked", arguments: [RevocationStatus.good, .revoked])
    func answers(_ status: RevocationStatus) async throws {
        let service = try OCSPService(status: status)
        let checker = OCSPRevocationChecker { question, address in
            #expect(address.absoluteString == "http://ocsp.example.com/ca")
            return try service.answer(to: question)
        }
        #expect(try await checker.status(of: service.leaf, issuedBy: service.root, at: service.date) == status)
    }

    @Test("J05 an answer is remembered for a quarter of an hour")
    func remembered() async throws {
        let service = try OCSPService(status: .good)
        let count = Counter()
        let checker = OCSPRevocationChecker { question, _ in
            count.increment()
            return try service.answer(to: question)
        }
        for later in [0, OCSPRevocationChecker.lifetime - 1, OCSPRevocationChecker.lifetime] {
            #expect(
                try await checker.status(of: service.leaf, issuedBy: service.root, at: service.date + later) == .good)
        }
        #expect(count.value == 2)
    }

    @Test("J05 what is no valid answer to the question is could-not-tell")
    func invalidAnswers() async throws {
        let service = try OCSPService(status: .good)
        let other = try OCSPService(status: .good)
        let good = OCSPRevocationChecker { question, _ in try service.answer(to: question) }
        let week: TimeInterval = 7 * 86_400
        for (checker, date) in [
            (OCSPRevocationChecker { _, _ in Data() }, service.date),
            (OCSPRevocationChecker { _, _ in Data("an error page".utf8) }, service.date),
            // An answer signed by somebody else, one from the past and one from the future.
            (OCSPRevocationChecker { question, _ in try other.answer(to: question) }, service.date),
            (good, service.date + week), (good, service.date - week),
        ] {
            await #expect(throws: OCSPError.noAnswer) {
                try await checker.status(of: service.leaf, issuedBy: service.root, at: date)
            }
        }
        let damaged = OCSPRevocationChecker { question, _ in
            var answer = try service.answer(to: question)
            answer[answer.count / 2] ^= 1
            return answer
        }
        await #expect(throws: OCSPError.noAnswer) {
            try await damaged.status(of: service.leaf, issuedBy: service.root, at: service.date)
        }
        await #expect(throws: OCSPError.noService) {
            try await good.status(of: service.root, issuedBy: service.root, at: service.date)
        }
        await #expect(throws: OCSPError.noService) {
            try await good.status(of: Data([1, 2]), issuedBy: Data(), at: service.date)
        }
    }

    @Test("J05 a service that cannot be reached is could-not-tell, for its own reason")
    func unreachable() async throws {
        let service = try OCSPService(status: .good)
        let checker = OCSPRevocationChecker { _, _ in throw URLError(.timedOut) }
        await #expect(throws: URLError.self) {
            try await checker.status(of: service.leaf, issuedBy: service.root, at: service.date)
        }
    }
}

/// A certificate authority with one certificate, whose answers the `openssl` command writes.
private struct OCSPService: Sendable {
    let root: Data
    let leaf: Data
    /// A date at which its answers hold.
    let date: Date
    private let folder: TemporaryFolder

    init(status: RevocationStatus) throws {
        folder = try TemporaryFolder()
        let files = [
            "extensions": "authorityInfoAccess=OCSP;URI:http://ocsp.example.com/ca\n",
            "index": status == .good
                ? "V\t491231235959Z\t\t07\tunknown\t/CN=leaf\n"
                : "R\t491231235959Z\t240101000000Z\t07\tunknown\t/CN=leaf\n",
        ]
        for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        let commands = [
            ["req", "-x509"] + curve + [
                "-keyout", "root.key", "-subj", "/CN=root", "-days", "3650", "-out", "root.pem",
            ],
            ["req", "-new"] + curve + ["-keyout", "leaf.key", "-subj", "/CN=leaf", "-out", "leaf.csr"],
            [
                "x509", "-req", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "root.key", "-set_serial", "7", "-days",
                "3650",
                "-extfile", "extensions", "-out", "leaf.pem",
            ],
            ["x509", "-in", "root.pem", "-outform", "DER", "-out", "root.der"],
            ["x509", "-in", "leaf.pem", "-outform", "DER", "-out", "leaf.der"],
        ]
        for command in commands { #expect(try OpenSSL.run(command, in: folder.url) == 0) }
        root = try Data(contentsOf: folder.url.appending(path: "root.der"))
        leaf = try Data(contentsOf: folder.url.appending(path: "leaf.der"))
        // The command dates everything by the system's clock, and so does the file system.
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.appending(path: "leaf.der").path)
        date = try #require(attributes[.modificationDate] as? Date) + 60
    }

    func answer(to question: Data) throws -> Data {
        let name = UUID().uuidString
        try question.write(to: folder.url.appending(path: name))
        let arguments = [
            "ocsp", "-index", "index", "-CA", "root.pem", "-rsigner", "root.pem", "-rkey", "root.key", "-ndays", "3",
            "-reqin",
            name, "-respout", "\(name).answer",
        ]
        #expect(try OpenSSL.run(arguments, in: folder.url) == 0)
        return try Data(contentsOf: folder.url.appending(path: "\(name).answer"))
    }
}

/// Counts from any thread.
private final class Counter: @unchecked Sendable {
    // Unchecked, because the count is read and written under the lock only.
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    func increment() { lock.withLock { count += 1 } }
}
#endif
