#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// The shop in the terminal, as a script uses it.
@Suite("The storefront's shop")
struct ShopTests {
    let storefront = Executable(name: "Storefront")

    @Test(
        "C02 every command does what it says",
        arguments: [
            ("list", ["Remove Ads", "com.example.coins"]),
            ("buy coins x2", ["bought com.example.coins ×2"]),
            ("cancel coins", ["cancelled"]),
            ("ask coins\napprove", ["waits for approval", "bought com.example.coins"]),
            ("ask coins\ndecline", ["waits for approval", "cancelled"]),
            ("interrupt coins\nresolve", ["bought com.example.coins"]),
            ("buy removeads\nbuy removeads", ["is owned already"]),
            ("buy coins\nrefund", ["was taken back"]),
            ("buy coins\nbuy removeads\nrefund 2", ["com.example.removeads (transaction 2) was taken back"]),
            ("buy removeads\nrestore", ["restored com.example.removeads"]),
            ("restore", ["nothing to restore"]),
            ("buy club.monthly\nrenew club.monthly", ["until 2025-01-08", "until 2025-02-01"]),
            ("buy club.monthly\nexpire club.monthly\nstatus", ["expired, does not renew"]),
            ("buy club.monthly\nautorenew off club.monthly\nstatus", ["subscribed, does not renew"]),
            (
                "buy club.monthly\nautorenew off club.monthly\nautorenew on club.monthly\nstatus",
                ["subscribed, renews as"]
            ),
            ("buy club.monthly\nbuy club.yearly", ["the plan changes at the next renewal"]),
            ("buy club.monthly\nadvance 1mo", ["It is 2025-02-01", "update-"]),
            ("advance 6h\nadvance 2w\nadvance 31d\nadvance 1y", ["It is 2026-02-15T06:00:00Z"]),
            ("storefront JPN\nbuy coins", ["The store is JPN now", "bought"]),
            ("offline on\noffline off\nbuy coins", ["cannot be reached", "can be reached again", "bought"]),
            ("buy \"coins\"", ["bought com.example.coins"]),
            ("buy club.monthly\nautorenew off club.monthly\nadvance 1y", ["com.example.club.monthly: ended"]),
            ("buy season x3\nowned", ["3 × com.example.season"]),
            ("buy club.monthly\nbuy coins\nrefund", ["com.example.coins (transaction 1001) was taken back"]),
            ("download upgrade", ["100 % finished", "bought com.example.upgrade"]),
            ("buy coins x3\nconsume coins\nowned", ["2 left", "2 × com.example.coins"]),
            ("owned\nstatus", ["Nothing is owned", "no subscriptions"]),
            ("buy club.monthly\ntimeline", ["com.example.club.monthly", "now"]),
            ("buy coins\nlog", ["product=com.example.coins"]),
            ("help", ["buy PRODUCT [xN] [offer ID]", "purchaseDeferred"]),
        ])
    func commands(script: String, expected: [String]) throws {
        let result = try storefront.run(typing: script)
        let text = String(decoding: result.output, as: UTF8.self)
        #expect(result.status == 0, "\(result.errors)")
        for part in expected { #expect(text.contains(part), "\(text)") }
    }

    @Test(
        "A command that cannot be followed says what would be right, ends nothing, and makes the status 1",
        arguments: [
            ("byu coins", "right would be"), ("buy", "buy PRODUCT"), ("buy cions", "com.example.coins"),
            ("buy coins 2", "x2"), ("buy coins x0", "x1"), ("buy coins x2 offer", "offer ID"),
            ("buy coins offer WINTER", "no offer"), ("buy club.monthly x2 y", "too much"), ("approve", "ask PRODUCT"),
            ("decline", "ask PRODUCT"), ("resolve", "interrupt PRODUCT"), ("refund", "buy PRODUCT"), ("refund 7", "7"),
            ("renew coins", "coins"), ("expire club.monthly", "club.monthly"), ("autorenew maybe coins", "on|off"),
            ("autorenew on club.monthly", "buy"), ("advance 9z", "31d"), ("advance 999999999999999999999y", "31d"),
            ("storefront Japan", "JPN"), ("offline", "on|off"), ("consume coins", "buy com.example.coins"),
            ("timeline", "subscription"), ("timeline --svg", "--svg FILE"), ("list all", "too much"),
            ("save /dev/null/shop", "/dev/null"), ("save /tmp", "is a folder"),
            ("timeline --svg --svg", "--svg FILE"), ("timeline coins", "com.example.club.monthly"),
            ("buy club.monthly offer com.example.club.stay", "was not bought"), ("buy removeads x2", "was not bought"),
            ("buy coins x+3", "x2"), ("refund +1", "its number"), ("storefront ZZZ", "JPN"),
            ("buy \"coins", "a quote is not closed"), ("renew club.monthly", "buy com.example.club.monthly before"),
        ])
    func mistakes(line: String, right: String) throws {
        let result = try storefront.run(typing: line + "\nbuy coins")
        #expect(result.status == 1)
        #expect(result.errors.contains("line 1:"))
        #expect(result.errors.contains(right), "\(result.errors)")
        #expect(String(decoding: result.output, as: UTF8.self).contains("bought com.example.coins"))
    }

    @Test("C04 one seed gives one output, byte for byte, in JSON objects a line with a date each")
    func json() throws {
        let script = "buy coins x2\nask removeads\nbuy club.monthly\nadvance 3mo\nrefund\nstatus\nowned\nlog"
        let first = try storefront.run("--json", "--seed", "7", typing: script)
        let second = try storefront.run("--json", "--seed", "7", typing: script)
        #expect(first.status == 0)
        #expect(first.output == second.output)
        let lines = String(decoding: first.output, as: UTF8.self).split(separator: "\n")
        let objects = try lines.map { try JSONValue(data: Data($0.utf8)) }
        #expect(objects.allSatisfy { $0[[.key("event")]] != nil && $0[[.key("date")]] != nil })
        let bought = objects.first { $0[[.key("event")]] == .string("purchased") }
        #expect(bought?[[.key("product")]] == .string("com.example.coins"))
        #expect(bought?[[.key("transaction")]] == .string("1"))
        #expect(bought?[[.key("token")]] == .string("purchase-3"))
    }

    @Test("What cannot be reached is not bought, and the status says so")
    func offline() throws {
        let result = try storefront.run(typing: "offline on\nbuy coins\nrestore\nlist")
        #expect(result.status == 1)
        let problems = result.errors.split(separator: "\n")
        #expect(problems.count == 3)
        #expect(problems.allSatisfy { $0.hasSuffix("The store could not be reached.") }, "\(result.errors)")
    }

    @Test("Every event and every field that a program is told of stands in the help")
    func help() throws {
        let script = """
            list\nbuy coins x2\nask removeads\napprove\ncancel coins\ninterrupt coins\nresolve\nbuy club.monthly
            advance 3mo\nautorenew off club.monthly\nautorenew on club.monthly\nrenew club.monthly\nexpire club.monthly
            refund\nrestore\nstorefront JPN\noffline on\noffline off\ndownload upgrade\nowned\nconsume coins\nstatus
            timeline\nlog\nnonsense\nhelp
            """
        let result = try storefront.run("--json", typing: script)
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        let objects = try lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let help = try #require(objects.last)
        let events = try #require(help["events"] as? [String: String])
        let fields = try #require(help["fields"] as? [String: String])
        for object in objects {
            #expect(events[object["event"] as? String ?? ""] != nil)
            for field in object.keys where field != "event" && field != "date" {
                #expect(fields[field] != nil, "\(field)")
            }
        }
        let told = Set(objects.compactMap { $0["event"] as? String })
        #expect(told.isSuperset(of: ["subscriptionChanged", "commandFailed", "listed", "downloadUpdated", "revoked"]))
        let text = try storefront.run(typing: "help").text
        for name in events.keys { #expect(text.contains(name)) }
    }

    @Test("C03 each renewal is told at its own date")
    func dates() throws {
        let result = try storefront.run("--json", typing: "buy club.monthly\nadvance 3mo")
        let bought = result.text.split(separator: "\n").filter { $0.contains("\"event\":\"purchased\"") }
        let dates = ["2025-01-01", "2025-01-08", "2025-02-08", "2025-03-08"]
        #expect(bought.count == dates.count)
        for (line, date) in zip(bought, dates) { #expect(line.contains("\"date\":\"\(date)")) }
    }

    @Test(
        "What is told to a pipe is there at once, while the shop waits for the next command", .timeLimit(.minutes(20)))
    func pipe() throws {
        let process = Process()
        process.executableURL = storefront.url
        process.arguments = ["--json"]
        let (typed, told) = (Pipe(), Pipe())
        process.standardInput = typed
        process.standardOutput = told
        try process.run()
        try typed.fileHandleForWriting.write(contentsOf: Data("buy coins\n".utf8))
        var text = ""
        while !text.contains("\"purchased\"") {
            let more = told.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += String(decoding: more, as: UTF8.self)
        }
        #expect(text.contains("\"purchased\""))
        try typed.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    @Test("C04 a saved shop without its ledger is not opened, and one that is resumed takes no seed")
    func incomplete() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "shop").path
        #expect(try storefront.run(typing: "buy coins\nsave \(file)").status == 0)
        #expect(try storefront.run("--resume", file, "--seed", "2").status == 64)
        try FileManager.default.removeItem(atPath: file + ".ledger")
        let result = try storefront.run("--resume", file, typing: "owned")
        #expect(result.status == 1)
        #expect(result.errors.contains(file + ".ledger"))
    }

    @Test("C04 a shop that was saved goes on where it was, ledger and all")
    func saving() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "shop-\(UUID()).state")
        defer {
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.removeItem(at: file.appendingPathExtension("ledger"))
        }
        #expect(try storefront.run(typing: "buy coins x3\nconsume coins\nask removeads\nsave \(file.path)").status == 0)
        let resumed = try storefront.run("--resume", file.path, typing: "owned\napprove\nowned")
        let text = String(decoding: resumed.output, as: UTF8.self)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(text.contains("2 × com.example.coins"))
        #expect(text.contains("bought com.example.removeads"))
    }

    @Test("A timeline is drawn as a picture")
    func picture() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "timeline-\(UUID()).svg")
        defer { try? FileManager.default.removeItem(at: file) }
        let script = "buy club.monthly\nadvance 3mo\ntimeline club.monthly --svg \(file.path)"
        #expect(try storefront.run(typing: script).status == 0)
        let picture = try String(contentsOf: file, encoding: .utf8)
        #expect(picture.hasPrefix("<svg") || picture.hasPrefix("<?xml"))
        #expect(picture.contains("com.example.club.monthly"))
    }

    @Test(
        "Whatever is typed, the shop ends in order",
        arguments: ["", "\n\n", "# nothing", "\u{0}\u{1}\u{2}", "buy \u{301}", String(repeating: "x", count: 10_000)])
    func anything(input: String) throws {
        let result = try storefront.run(typing: input)
        #expect(result.status == 0 || result.status == 1)
    }
}
#endif
