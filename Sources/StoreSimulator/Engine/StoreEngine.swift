import Foundation
import StoreManagerCore

/// An App Store in a value: its catalogue, everybody who buys in it, all that was ever bought, and what is on its way to the
/// apps.
///
/// It knows no thread, no file and no time but what it is told. Every change is made by ``perform(_:)``, so that one sequence
/// of actions gives one store.
struct StoreEngine: Codable, Sendable {
    let catalogue: Catalogue
    /// The number that decides all chance.
    let seed: UInt64
    var random: SplitMix64
    var now: Date
    /// The store's time while ``now`` is a date in the past, for which a purchase is being made up; else nil.
    var present: Date?
    var controls: StoreControls
    var accounts: [Account] = []
    var devices: [Device] = []
    var history = History()
    var termsTable = TermsTable()
    var subscriptions: [Subscription] = []
    /// When which subscription is to be looked at.
    var agenda = Agenda<Int32>()
    /// The downloads that were started once.
    var downloads: [DownloadKey: RunningDownload] = [:]
    /// When which download is to be looked at.
    var downloadAgenda = Agenda<DownloadKey>()
    /// Counts the changes that may change the terms of renewals.
    var revision: Int32 = 0
    var log: [StoreLogEntry] = []
    /// How many messages were ever sent, which numbers them.
    var messageCount = 0
    var queue = DeliveryQueue()
    /// How many renewals went by that the log does not tell of one by one.
    var unwatchedRenewals = 0
    /// What the app's server is to be told, while it listens.
    var notifications: [StoreServerNotification] = []
    /// Whether the app's server listens.
    var emitsNotifications = false

    /// A store is saved without what is on its way: who comes back after a restart hears of it anew.
    private enum CodingKeys: CodingKey {
        case catalogue, seed, random, now, controls, accounts, devices, history, termsTable, subscriptions, agenda
        case downloads, downloadAgenda, revision, log, messageCount, unwatchedRenewals
    }

    init(configuration: StoreConfiguration, now: Date, seed: UInt64) {
        catalogue = Catalogue(configuration)
        self.seed = seed
        random = SplitMix64(seed: seed)
        self.now = now
        controls = StoreControls(settings: configuration.settings)
    }

    /// When something happens by itself next; nil where nothing will.
    var nextDue: Date? {
        let dates = (agenda.nextDue, downloadAgenda.nextDue, queue.nextDue)
        return min(dates.0 ?? .distantFuture, dates.1 ?? .distantFuture, dates.2 ?? .distantFuture).unlessNever
    }

    /// The storefront that is sold from.
    var storefront: StoreStorefront { StoreStorefront(id: controls.storefront, countryCode: controls.storefront) }

    /// Lets time pass, and everything happen that is due.
    mutating func advance(to date: Date) {
        while let due = nextDue, due <= date {
            now = max(now, due)
            queue.advance(to: now, faults: controls.faults)
            while let due = agenda.nextDue, due <= now { renewNext() }
            while let due = downloadAgenda.nextDue, due <= now { continueDownload() }
        }
        now = max(now, date)
    }

    /// The product of a position, as the storefront shows it.
    func storeProduct(_ product: StoreConfiguration.Product) -> StoreProduct {
        catalogue.configuration.storeProduct(
            for: product, storefront: controls.storefront, locale: controls.locale.identifier)
    }
}

extension Date {
    /// Nil for the date that never comes.
    var unlessNever: Date? { self < .distantFuture ? self : nil }
}
