#if os(macOS) || os(Linux)
import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

@Suite("The example that inspects receipts")
struct InspectReceiptTests {
    let example = Executable(name: "InspectReceipt")
    let folder: TemporaryFolder
    let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = folder.url.appending(path: "root.der").path
        try Fixtures.signer.rootCertificate.write(to: URL(filePath: root))
    }

    private func file(_ name: String, _ data: Data) throws -> String {
        let url = folder.url.appending(path: name)
        try data.write(to: url)
        return url.path
    }

    private func receipt(_ change: (inout ReceiptContents) -> Void = { _ in }, device: Data? = nil) throws -> String {
        var contents = Fixtures.receipt
        change(&contents)
        return try file("receipt", Fixtures.signer.appReceipt(contents, deviceIdentifier: device))
    }

    private func jws(_ claims: some SignedClaims) throws -> String {
        try file("jws", Data((Fixtures.signer.sign(claims) + "\n").utf8))
    }

    private func inspect(_ file: String, _ options: String...) throws -> Inspection {
        try #require(Inspection.run([file], ["--root", root] + options).lines.first)
    }

    @Test("X01 a receipt is read in DER and base64, under a root in DER and PEM, and with several roots")
    func forms() throws {
        let data = try Fixtures.signer.appReceipt(Fixtures.receipt)
        let lines = data.base64EncodedString(options: .lineLength64Characters)
        let pem = try file(
            "root.pem",
            Data(
                """
                -----BEGIN CERTIFICATE-----
                \(Fixtures.signer.rootCertificate.base64EncodedString(options: .lineLength64Characters))
                -----END CERTIFICATE-----
                """.utf8))
        let stranger = try file("stranger.der", Fixtures.stranger.rootCertificate)
        let text = Array(data.base64EncodedString())
        let short = stride(from: 0, to: text.count, by: 8).map { String(text[$0..<min($0 + 8, text.count)]) }
        let files = [
            try file("receipt.der", data), try file("receipt.b64", Data("\n\(lines)\n".utf8)),
            try file("short.b64", Data(short.joined(separator: "\r\n\t").utf8)),
        ]
        for roots in [["--root", root], ["--root", pem], ["--root=\(stranger)", "--root", root]] {
            let (status, lines) = try Inspection.run(files, roots)
            #expect(status == 0 && lines.allSatisfy { $0.verdict == "valid" && $0.format == "receipt" })
        }
        for roots in [["--root", stranger], []] {
            let (status, lines) = try Inspection.run(files, roots)
            #expect(status == 1 && lines.allSatisfy { $0.verdict == "invalid" })
        }
    }

    @Test("X01 the purchases are listed with dates in UTC, and null for what is not told")
    func purchases() throws {
        let line = try inspect(
            receipt {
                $0.purchases[1].quantity = 2
                $0.purchases[1].cancellationDate = Fixtures.date + 0.25
                $0.purchases[0].originalTransactionIdentifier = nil
            })
        #expect(line.bundle == Fixtures.bundleIdentifier && line.environment == "Production")
        let purchases = try #require(line.purchases).sorted { ($0.transaction ?? "") < ($1.transaction ?? "") }
        #expect(
            purchases == [
                .init(
                    product: "com.example.coins", transaction: "100", quantity: 1, purchased: "2024-01-27T12:00:00Z"),
                .init(
                    product: "com.example.pro", transaction: "101", originalTransaction: "100", quantity: 2,
                    purchased: "2024-01-27T12:00:00Z", expires: "2024-01-27T13:00:00Z",
                    revoked: "2024-01-27T12:00:00.250Z"),
            ])
        let signed = try inspect(jws(Fixtures.transaction))
        #expect(signed.verdict == "valid" && signed.format == "jws" && signed.environment == "Production")
        #expect(
            signed.purchases == [
                .init(
                    product: "com.example.pro", transaction: "101", originalTransaction: "100",
                    purchased: "2024-01-27T12:00:00Z", expires: "2024-01-27T13:00:00Z")
            ])
    }

    @Test(
        "X01 each of Apple's names for an environment is told as the option names it",
        arguments: [
            ("Production", "Production"), ("ProductionVPP", "Production"), ("ProductionSandbox", "Sandbox"),
            ("ProductionVPPSandbox", "Sandbox"), ("Sandbox", "Sandbox"), (nil, nil),
        ] as [(String?, String?)])
    func environments(_ type: String?, _ name: String?) throws {
        let file = try receipt { $0.receiptType = type }
        #expect(try inspect(file).verdict == "valid" && inspect(file).environment == name)
        #expect(try inspect(file, "--environment", name ?? "Production").verdict == "valid")
        let other = name == "Sandbox" ? "Production" : "Sandbox"
        #expect(try inspect(file, "--environment", other).verdict == "invalid")
    }

    @Test("X02 each check of a receipt is made where its option is given, and refused with its reason")
    func receiptChecks() throws {
        let file = try receipt(device: Fixtures.device)
        let device = Fixtures.device.map { String(format: "%02x", $0) }.joined()
        let right = [
            "--bundle=\(Fixtures.bundleIdentifier)", "--version=7", "--app-id=1234567890", "--device=\(device)",
        ]
        #expect(try Inspection.run([file], ["--root", root] + right).status == 0)
        for (option, reason) in [
            ("--bundle=com.example", "The bundle identifier is com.example.app, not com.example."),
            ("--version=8", "The version is 7, not 8"),
            ("--app-id=1", "number is 1234567890, not 1."), ("--device=0011223344ff", "another device"),
            ("--at=1969-12-31", "not yet valid"),
        ] {
            let line = try inspect(file, option)
            #expect(line.verdict == "invalid" && line.offset == nil)
            #expect(line.reason?.contains(reason) == true, "\(line)")
        }
    }

    @Test("X02 a receipt's own term is compared with --at, and without it with now")
    func term() throws {
        let file = try receipt { $0.expirationDate = Fixtures.date + 86_400 }
        #expect(try inspect(file).reason == Refusal.receiptExpired(Fixtures.date + 86_400).description)
        #expect(try inspect(file, "--at", "2024-01-28T11:59:59Z").verdict == "valid")
        #expect(try inspect(file, "--at", "2024-01-28T12:00:00.5Z").verdict == "invalid")
    }

    @Test("J01 the kind of signed data is told by the claims, else by --kind; a renewal info has no app to check")
    func kinds() throws {
        let other = "--bundle=com.example.other"
        #expect(try inspect(jws(Fixtures.transaction), other).verdict == "invalid")
        #expect(try inspect(jws(Fixtures.appTransaction), other).verdict == "invalid")
        #expect(try inspect(jws(Fixtures.notification()), other).verdict == "invalid")
        let renewal = try inspect(jws(Fixtures.renewalInfo), other)
        #expect(renewal.verdict == "valid" && renewal.bundle == nil && renewal.purchases == [])
        let mismatch = try inspect(jws(Fixtures.transaction), "--kind", "renewalInfo")
        #expect(mismatch.reason == Refusal.kindMismatch(found: .transaction, expected: .renewalInfo).description)
        #expect(try inspect(jws(Fixtures.appTransaction), "--version=9").verdict == "invalid")
        #expect(try inspect(jws(Fixtures.appTransaction), "--app-id=1").verdict == "invalid")
    }

    @Test("J01 data whose kind nobody can tell are could-not-tell, unless they are forged")
    func unknownKind() throws {
        var claims = RenewalInfoClaims()
        claims.signedDate = Fixtures.date
        let (status, lines) = try Inspection.run([jws(claims)], ["--root", root])
        #expect(status == 1 && lines.first?.verdict == "unable")
        #expect(lines.first?.reason?.contains("--kind") == true)
        #expect(try Inspection.run([jws(claims)]).lines.first?.verdict == "invalid")
    }

    @Test("J01 what is nested in a notification is checked too, and its transaction listed")
    func notification() throws {
        var data = NotificationClaims.SubscriptionData()
        data.signedTransaction = try Fixtures.signer.sign(Fixtures.transaction)
        let good = try inspect(jws(Fixtures.notification(data)))
        #expect(good.verdict == "valid" && good.purchases?.first?.transaction == "101")
        data.signedTransaction = try Fixtures.stranger.sign(Fixtures.transaction)
        #expect(try inspect(jws(Fixtures.notification(data))).verdict == "invalid")
        data.signedTransaction = "nonsense"
        let damaged = try inspect(jws(Fixtures.notification(data)))
        #expect(damaged.verdict == "invalid" && damaged.offset == nil && damaged.purchases == nil)
    }

    @Test("J02 signed data without a date are looked at as of now")
    func noDate() throws {
        // Its certificates ended an hour after it was made.
        let signer = try TestSigner(validFrom: Fixtures.date, until: Fixtures.date + 3600)
        let root = try file("short.der", signer.rootCertificate)
        var claims = Fixtures.transaction
        #expect(try Inspection.run([file("dated", Data(signer.sign(claims).utf8))], ["--root", root]).status == 0)
        claims.signedDate = nil
        let undated = try file("undated", Data(signer.sign(claims).utf8))
        #expect(try Inspection.run([undated], ["--root", root]).lines.first?.verdict == "invalid")
        #expect(try Inspection.run([undated], ["--root", root, "--at", "2024-01-27T12:30:00Z"]).status == 0)
    }

    @Test("X03 a file that holds neither, or cannot be read, has its line and its reason")
    func unreadable() throws {
        let data = try Fixtures.signer.appReceipt(Fixtures.receipt)
        let files: [(String, format: String?)] = [
            (try file("empty", Data()), nil), (try file("page", Data("<html>no. no.</html>".utf8)), nil),
            (try file("sentence", Data("MIT License\n\nIt is. So.".utf8)), nil), (folder.url.path, nil),
            (folder.url.appending(path: "missing").path, nil), ("/dev/zero", nil),
            (try file("huge", data.prefix(9) + Data(repeating: 0x30, count: AppReceipt.maximumByteCount)), "receipt"),
            (try file("zeros", Data(repeating: 0x30, count: AppReceipt.maximumByteCount + 2)), nil),
            (try file("dots", Data(repeating: 0x2E, count: AppReceipt.maximumByteCount + 2)), nil),
            (try file("address", Data("www.example.com".utf8)), nil),
            (try file("digits", Data("0123 hello".utf8)), nil),
            (try file("certificate", Fixtures.signer.rootCertificate), nil),
            (try file("certificate.b64", Fixtures.signer.rootCertificate.base64EncodedData()), nil),
            (try file("feeds", Data("\u{0B}\u{0C}".utf8) + data.base64EncodedData()), nil),
            (try file("cut", data.prefix(1_000)), "receipt"), (try file("cut.jws", Data("eyJhIjoxfQ.e".utf8)), "jws"),
            (
                try file("ios6", Data(#"{ "signature" = "AgEB"; "purchase-info" = "ewoJ"; }"#.utf8)), nil
            ),
        ]
        let good = try receipt()
        let (status, lines) = try Inspection.run([good] + files.map(\.0) + [good], ["--root", root])
        #expect(status == 2)
        #expect(lines.first?.verdict == "valid" && lines.last?.verdict == "valid")
        for (line, expected) in zip(lines.dropFirst(), files) {
            #expect(line.verdict == "unreadable" && line.format == expected.format, "\(line)")
            #expect(line.reason != nil && line.purchases == nil && line.bundle == nil && line.environment == nil)
        }
    }

    @Test("The status is 0 for valid files only, 2 where one is unreadable, 1 otherwise")
    func statuses() throws {
        let good = try receipt()
        let bad = try file("bad", Fixtures.stranger.appReceipt(Fixtures.receipt))
        let page = try file("page", Data("<html>".utf8))
        for (files, status) in [
            ([good], 0), ([good, good], 0), ([good, bad], 1), ([bad], 1), ([page, bad], 2), ([good, page], 2),
        ] as [([String], Int32)] {
            #expect(try Inspection.run(files, ["--root", root]).status == status)
            #expect(try example.run(["--root", root] + files).status == status)
        }
    }

    @Test(
        "A command line that cannot be followed ends with status 64 and says what would be right",
        arguments: [
            ([], "receipt.der"), (["--json"], "receipt.der"), (["--bundel", "x", "f"], "--bundle ID"),
            (["f", "--bundle"], "--bundle ID"), (["f", "--app-id", "x"], "1234567890"),
            (["f", "--app-id=-1"], "1234567890"),
            (["f", "--environment", "sandbox"], "Production, Sandbox, Xcode, LocalTesting"),
            (["f", "--kind", "receipt"], "transaction, renewalInfo, appTransaction, notification"),
            (["f", "--device", "abc"], "hexadecimal"), (["f", "--device", "xy"], "hexadecimal"),
            (["f", "--device", "0A"], "6 or 16 bytes"),
            (["f", "--device", "00112233445566"], "6 or 16 bytes"),
            (["f", "--at", "yesterday"], "2024-01-31"), (["f", "--at", "2024-13-01"], "2024-01-31"),
            (["f", "--at", "2026-02-30"], "2024-01-31"), (["f", "--at", "2026-01-01xx"], "2024-01-31"),
            (["f", "--at", "2026-01-01 00:00"], "2024-01-31"), (["f", "--at", "2025-12-31T23:00"], "2024-01-31"),
            (["f", "--at", "2026-02-30T00:00:00Z"], "2024-01-31"),
            (["f", "--at", "2026-01-01T00:00:00"], "2024-01-31"),
            (["f", "--at", "2026-01-01T00:00:00Zx"], "2024-01-31"),
            (["f", "--at", "2026-01-01T24:61:00Z"], "2024-01-31"),
            (["f", "--at", "26-01-01"], "2024-01-31"),
            (["f", "--root", "/no/such/file"], "DER or PEM"), (["f", "--root", "/dev/null"], "DER or PEM"),
            (["f", "--json=yes"], "--json"), (["-x", "f"], "--bundle ID"),
        ])
    func usage(_ words: [String], _ remedy: String) throws {
        let result = try example.run(words)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains(remedy), "\(result.errors)")
    }

    @Test("--help names every option and ends with status 0")
    func help() throws {
        let result = try example.run("--help")
        #expect(result.status == 0)
        for word in [
            "FILE...", "--root FILE", "--bundle ID", "--app-id N", "--environment NAME", "--kind KIND", "--version V",
            "--device HEX", "--at DATE", "--json", "LocalTesting", "renewalInfo",
        ] { #expect(result.text.contains(word)) }
    }

    @Test("X04 a person reads fields, purchases, certificates, checks not made and the verdict with its reason")
    func text() throws {
        let receipt = try receipt()
        let result = try example.run("--root", root, "--bundle", "com.example", receipt)
        for part in [
            "app receipt", "bundle identifier  com.example.app", "created            2024-01-27T12:00:00Z",
            "Purchases (2)", "com.example.pro", "2024-01-27T13:00:00Z", "StoreKitManager Test Authority",
            "Not checked", "device (--device)", "Verdict: invalid. The bundle identifier is com.example.app",
        ] { #expect(result.text.contains(part), "\(result.text)") }
        #expect(!result.text.contains("(--bundle)"))
        let signed = try example.run("--root", root, jws(Fixtures.transaction))
        for part in ["JWS, transaction", "product identifier", "expiration date", "Verdict: valid."] {
            #expect(signed.text.contains(part), "\(signed.text)")
        }
        let page = try example.run(file("page", Data("<html>".utf8)))
        #expect(page.text.contains("page: unreadable") && page.text.contains("at byte 0"))
    }

    @Test(
        "X04 dates are read and written the same under any locale, calendar and time zone",
        arguments: ["th_TH.UTF-8", "ar_EG.UTF-8", "fa_IR@calendar=persian", "ja_JP@calendar=japanese"])
    func locales(_ locale: String) throws {
        let file = try receipt { $0.expirationDate = Fixtures.date + 0.5 }
        let environment = ["LANG": locale, "LC_ALL": locale, "TZ": "Asia/Kathmandu"]
        let options = ["--root", root, "--at", "2024-01-27T12:00:00Z", file]
        for words in [options, options + ["--json"]] {
            let usual = try example.run(words)
            let other = try example.run(words, environment: environment)
            #expect(usual.status == 0 && other.status == 0)
            #expect(usual.text == other.text)
        }
    }

    @Test("X04 each check whose option is given but that is not made is told")
    func checksNotMade() throws {
        func text(_ file: String, _ options: String...) throws -> String {
            try example.run(["--root", root] + options + [file]).text
        }
        let noNumber = try Regex("app number: .* production")
        for (type, name) in [
            ("Sandbox", "Sandbox"), ("ProductionSandbox", "Sandbox"), ("Xcode", "Xcode"),
            ("LocalTesting", "LocalTesting"),
        ] {
            let file = try receipt { $0.receiptType = type }
            #expect(try text(file, "--app-id", "4", "--environment", name).contains(noNumber))
            var claims = Fixtures.appTransaction
            claims.receiptType = StoreEnvironment(rawValue: type)
            #expect(try text(jws(claims), "--app-id", "4", "--environment", name).contains(noNumber))
            var notification = Fixtures.notification()
            notification.data?.environment = StoreEnvironment(rawValue: name)
            #expect(try text(jws(notification), "--app-id", "4", "--environment", name).contains(noNumber))
        }
        for file in [try receipt(), try jws(Fixtures.appTransaction), try jws(Fixtures.notification())] {
            #expect(try !text(file, "--app-id", "1234567890").contains("app number:"))
        }
        #expect(try text(receipt(), "--kind", "transaction").contains("kind: a receipt has none"))
        #expect(try !text(receipt()).contains("kind: a receipt"))
        let dates = "dates and chain: "
        var local = Fixtures.transaction
        #expect(try !text(jws(local), "--at", "2024-01-27").contains(dates))
        local.environment = .xcode
        #expect(try text(jws(local), "--environment", "Xcode", "--at", "1990-01-01").contains(dates))
        var silent = RenewalInfoClaims()
        silent.signedDate = Fixtures.date
        silent.environment = .production
        #expect(try text(jws(silent), "--kind", "renewalInfo").contains("kind: the claims do not tell"))
        #expect(try !text(jws(Fixtures.renewalInfo), "--kind", "renewalInfo").contains("kind:"))
    }

    @Test("J03 of a local-testing receipt whose signer is no root, the reason tells how to name it")
    func localReceipt() throws {
        let file = try file(
            "local",
            Fixtures.stranger.appReceipt(
                {
                    var contents = Fixtures.receipt
                    contents.receiptType = "Xcode"
                    return contents
                }()))
        let apple = try Inspection.run([file], ["--environment", "Xcode"]).lines.first
        #expect(apple?.verdict == "invalid" && apple?.reason?.contains("--root") == true)
        let production = try Inspection.run([receipt()]).lines.first
        #expect(production?.verdict == "invalid" && production?.reason?.contains("--root") == false)
    }

    @Test("J01 the environment of an app transaction is told as the option names it")
    func appEnvironment() throws {
        var claims = Fixtures.appTransaction
        claims.receiptType = StoreEnvironment(rawValue: "ProductionSandbox")
        #expect(try inspect(jws(claims), "--environment", "Sandbox").environment == "Sandbox")
    }

    @Test("X03 text in a receipt cannot steer a terminal")
    func controlCharacters() throws {
        let file = try receipt {
            $0.bundleIdentifier = "com.example\u{1B}[31m\nVerdict: valid.\u{202E}\u{2066}\u{200F}\u{2028}\u{2029}"
        }
        let result = try example.run("--root", root, "--bundle", "com.example", file)
        for scalar in "\u{1B}\u{202E}\u{2066}\u{200F}\u{2028}\u{2029}".unicodeScalars {
            #expect(!result.text.unicodeScalars.contains(scalar), "\(scalar.value)")
        }
        #expect(result.text.split(separator: "\n").count { $0.contains("Verdict:") && $0.hasPrefix("  Verdict") } == 1)
        #expect(try inspect(file).bundle?.hasPrefix("com.example\u{1B}[31m\nVerdict: valid.\u{202E}") == true)
    }
}
#endif
