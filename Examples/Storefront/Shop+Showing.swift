import Foundation
import StoreManagerCore
import StoreSimulator

extension Shop {
    /// What is owned now: from the ledger what is counted, from the store what it entitles to.
    func showOwned() async throws {
        let copy = try await ledger.withLedger { $0 }
        let entitled = Dictionary(grouping: store.currentEntitlements, by: \.productIdentifier)
        var isAnything = false
        for product in store.configuration.products {
            let count = product.type == .consumable ? copy.count(of: product.id) : (entitled[product.id] ?? []).count
            guard count > 0 else { continue }
            isAnything = true
            let until = entitled[product.id]?.compactMap(\.expirationDate).max()
            output.say("\(count) × \(product.id)" + (until.map { " until \($0.ISO8601Format())" } ?? ""))
            output.emit(
                "owned", at: store.clock.now,
                ["product": product.id, "count": count, "expires": until?.ISO8601Format()])
        }
        if !isAnything { output.say("Nothing is owned.") }
    }

    /// How each subscription stands.
    func showStatus() {
        let infos = store.renewalInfos
        if infos.isEmpty { output.say("There are no subscriptions.") }
        for info in infos {
            guard let latest = store.latestTransaction(for: info.currentProductIdentifier),
                let group = latest.subscriptionGroupID, let state = store.subscriptionState(inGroup: group)
            else { continue }
            let next =
                info.willAutoRenew
                ? "renews as \(info.autoRenewPreference ?? info.currentProductIdentifier)" : "does not renew"
            let until = latest.expirationDate?.ISO8601Format()
            output.say(
                "\(info.currentProductIdentifier): \(state.rawValue), \(next)"
                    + (until.map { ", paid until \($0)" } ?? ""))
            output.emit(
                "status", at: store.clock.now,
                [
                    "product": info.currentProductIdentifier, "state": state.rawValue, "transaction": latest.id,
                    "willAutoRenew": info.willAutoRenew, "expires": until,
                    "graceUntil": info.gracePeriodExpirationDate?.ISO8601Format(),
                ])
        }
    }

    /// Draws a subscription's life.
    func showTimeline(of word: String?, picture file: String?) throws {
        let named = try word.map { try product($0) }
        let candidates = named.map { [$0] } ?? store.configuration.products.filter { $0.type == .autoRenewable }
        let timeline = candidates.lazy.compactMap { self.store.timeline(ofGroupOf: $0.id) }.first
        guard let timeline else {
            throw ShopError("there is no subscription to draw; right would be to buy one before")
        }
        if let file {
            try Data(timeline.svg.utf8).write(to: URL(filePath: file), options: .atomic)
            output.say("Drawn in \(file).")
            output.emit("drawn", at: store.clock.now, ["file": file])
        } else {
            output.say(timeline.text)
            for span in timeline.spans {
                output.emit(
                    "span", at: span.begin,
                    [
                        "kind": span.kind.rawValue, "product": span.productIdentifier,
                        "until": span.end.ISO8601Format(),
                        "periods": span.periodCount, "label": span.label,
                    ])
            }
            for mark in timeline.marks { output.emit("mark", at: mark.date, ["text": mark.text]) }
        }
    }

    /// What the store did.
    func showLog() {
        for entry in store.log {
            output.say(entry.description)
            output.emit("logged", at: entry.date, ["line": entry.description])
        }
    }

    /// What the shop understands.
    func showHelp() {
        let width = ShopCommand.usages.map(\.usage.count).max() ?? 0
        for (usage, help) in ShopCommand.usages {
            output.say("  \(usage.padding(toLength: width, withPad: " ", startingAt: 0))  \(help)")
        }
        output.say("A product may be named by the end of its identifier. Lines that begin with # are passed over.")
        output.say(
            "\nWith --json each event is an object on a line: event, date (the store's clock, ISO 8601), and where they"
        )
        output.say(
            "apply product, transaction, token, quantity, price, currency, expires, error and others. The events:")
        for (names, help) in StoreEvent.shopNames {
            output.say("  \(names.joined(separator: ", ")): \(help)")
        }
        output.emit("help", at: store.clock.now, ["commands": ShopCommand.usages.map(\.usage)])
    }
}
