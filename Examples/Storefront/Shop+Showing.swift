import Foundation
import StoreManagerCore
import StoreSimulator

extension Shop {
    /// Lists what is sold, as the store would sell it now.
    func list() async throws {
        let products = try await fetchEverything().get().products
        let controls = store.controls
        output.say(store.configuration.table(storefront: controls.storefront, locale: controls.locale.identifier))
        for product in products {
            output.emit(
                .listed, at: store.clock.now,
                [
                    .product: product.id, .name: product.displayName, .type: product.type.rawValue,
                    .price: "\(product.price)", .currency: product.priceLocale?.currency?.identifier,
                    .period: product.subscription?.period.iso8601,
                ])
        }
    }

    /// What is owned now: from the ledger what is counted, from the store what it entitles to.
    func showOwned() async throws {
        let copy = try await ledger.withLedger { $0 }
        let entitled = Dictionary(grouping: store.currentEntitlements, by: \.productIdentifier)
        let graces = standingsNow().values.filter { $0.state == .inGracePeriod }
        var isAnything = false
        for product in store.configuration.products {
            let transactions = entitled[product.id] ?? []
            let count =
                product.type == .consumable
                ? copy.count(of: product.id) : transactions.reduce(0) { $0 + $1.quantity }
            guard count > 0 else { continue }
            isAnything = true
            let grace = graces.first { $0.product == product.id }?.graceUntil
            let until = grace ?? transactions.compactMap(\.expirationDate).max()
            output.say("\(count) × \(product.id)" + (until.map { " until \($0.ISO8601Format())" } ?? ""))
            output.emit(
                .owned, at: store.clock.now,
                [.product: product.id, .count: count, .expires: until?.ISO8601Format()])
        }
        if !isAnything { output.say("Nothing is owned.") }
    }

    /// How each subscription stands.
    func showStatus() {
        let standings = standingsNow().sorted { $0.key < $1.key }
        if standings.isEmpty { output.say("There are no subscriptions.") }
        for (_, standing) in standings {
            let info = store.renewalInfos.first { $0.currentProductIdentifier == standing.product }
            let next =
                standing.willAutoRenew
                ? "renews as \(info?.autoRenewPreference ?? standing.product)" : "does not renew"
            let until = standing.expires.map { ", paid until \($0.ISO8601Format())" } ?? ""
            let grace = standing.graceUntil.map { ", access until \($0.ISO8601Format())" } ?? ""
            output.say("\(standing.product): \(standing.state.rawValue), \(next)\(until)\(grace)")
            output.emit(.status, at: store.clock.now, standing.fields)
        }
    }

    /// Draws a subscription's life.
    func showTimeline(of word: String?, picture file: String?) throws {
        let named = try word.map { try subscription($0).productIdentifier }
        let candidates =
            named.map { [$0] } ?? store.configuration.products.filter { $0.type == .autoRenewable }.map(\.id)
        let timeline = candidates.lazy.compactMap { self.store.timeline(ofGroupOf: $0) }.first
        guard let timeline else {
            throw ShopError("there is no subscription to draw; right would be to buy one before")
        }
        if let file {
            do { try Data(timeline.svg.utf8).write(to: URL(filePath: file), options: .atomic) } catch {
                throw ShopError("\(file) cannot be written; right would be a file in a folder that there is")
            }
            output.say("Drawn in \(file).")
            output.emit(.drawn, at: store.clock.now, [.file: file])
        } else {
            output.say(timeline.text)
            for span in timeline.spans {
                output.emit(
                    .span, at: span.begin,
                    [
                        .kind: span.kind.rawValue, .product: span.productIdentifier,
                        .until: span.end.ISO8601Format(), .periods: span.periodCount, .label: span.label,
                    ])
            }
            for mark in timeline.marks { output.emit(.mark, at: mark.date, [.text: mark.text]) }
        }
    }

    /// What the store did.
    func showLog() {
        for entry in store.log {
            output.say(entry.description)
            output.emit(.logged, at: entry.date, [.line: entry.description])
        }
    }

    /// What the shop understands.
    func showHelp() {
        say(ShopCommand.usages.map { ($0.usage, $0.help) })
        output.say(
            """

            A product may be named by the end of its identifier; a word with blanks stands in "quotes". Lines that begin with #
            are passed over.

            With --json each event is an object on a line: its event, its date (the store's clock, ISO 8601), and where they
            apply other fields. The events:
            """)
        say(ShopEvent.allCases.map { ($0.rawValue, $0.help) })
        output.say("\nThe fields:")
        say(ShopField.allCases.map { ($0.rawValue, $0.help) })
        output.emit(
            .help, at: store.clock.now,
            [
                .commands: ShopCommand.usages.map(\.usage),
                .events: Dictionary(uniqueKeysWithValues: ShopEvent.allCases.map { ($0.rawValue, $0.help) }),
                .fields: Dictionary(uniqueKeysWithValues: ShopField.allCases.map { ($0.rawValue, $0.help) }),
            ])
    }

    private func say(_ rows: [(name: String, help: String)]) {
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows {
            output.say("  \(row.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(row.help)")
        }
    }
}
