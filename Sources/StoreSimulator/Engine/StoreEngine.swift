import Foundation
import StoreManagerCore

/// An App Store in a value: its catalogue, everybody who buys in it, all that was ever bought, and what is on its way to the
/// apps.
///
/// It knows no thread, no file and no time but what it is told. Every change is made by ``perform(_:)``, so that one sequence
/// of actions gives one store.
struct StoreEngine: Sendable {
    let catalogue: Catalogue
    /// The number that decides all chance.
    let seed: UInt64
    var random: SplitMix64
    var now: Date
    var controls: StoreControls
    var accounts: [Account] = []
    var devices: [Device] = []
    var history = History()
    var termsTable = TermsTable()
    var subscriptions: [Subscription] = []
    /// When which subscription is to be looked at.
    var agenda = Agenda<Int32>()
    /// Counts the changes that may change the terms of renewals.
    var revision: Int32 = 0
    var log: [StoreLogEntry] = []
    /// How many messages were ever sent, which numbers them.
    var messageCount = 0
    var queue = DeliveryQueue()

    init(configuration: StoreConfiguration, now: Date, seed: UInt64) {
        catalogue = Catalogue(configuration)
        self.seed = seed
        random = SplitMix64(seed: seed)
        self.now = now
        controls = StoreControls(settings: configuration.settings)
    }

    /// When something happens by itself next; nil where nothing will.
    var nextDue: Date? { [agenda.nextDue, queue.nextDue].compactMap(\.self).min() }

    /// The storefront that is sold from.
    var storefront: StoreStorefront { StoreStorefront(id: controls.storefront, countryCode: controls.storefront) }

    /// Lets time pass, and everything happen that is due.
    mutating func advance(to date: Date) {
        while let due = agenda.nextDue, due <= date {
            now = max(now, due)
            renewNext()
        }
        now = max(now, date)
        queue.advance(to: now, faults: controls.faults)
    }

    /// The product of a position, as the storefront shows it.
    func storeProduct(_ product: StoreConfiguration.Product) -> StoreProduct {
        catalogue.configuration.storeProduct(
            for: product, storefront: controls.storefront, locale: controls.locale.identifier)
    }

    /// Writes a line into the log.
    mutating func note(_ event: StoreLogEntry.Event, of subject: String, _ fields: StoreLogEntry.Field?...) {
        log.append(
            StoreLogEntry(
                number: log.count + 1, date: now, subject: subject, event: event, fields: fields.compactMap(\.self)))
    }
}

extension StoreLogEntry.Field {
    static func product(_ identifier: String) -> Self { Self("product", identifier) }
    static func transaction(_ id: UInt64) -> Self { Self("transaction", String(id)) }
    static func token(_ token: RequestToken?) -> Self? { token.map { Self("token", $0.description) } }
    static func quantity(_ quantity: Int) -> Self? { quantity == 1 ? nil : Self("quantity", String(quantity)) }
    static func reason(_ failure: StoreAPIFailure) -> Self { Self("reason", failure.name) }
    static func until(_ date: Date) -> Self { Self("until", CivilDate(date).description) }
}

extension StoreAPIFailure {
    /// The failure's bare name, such as `networkError`.
    var name: String {
        switch self {
        case .generic(let failure): failure.rawValue
        case .purchase(let failure): failure.rawValue
        case .verification(let failure): failure.rawValue
        case .refundRequest(let failure): failure.rawValue
        }
    }
}
