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
            ("offline on\nbuy coins\noffline off\nbuy coins", ["could not be reached", "bought"]),
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
            ("save /dev/null/shop", "/dev/null"),
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
