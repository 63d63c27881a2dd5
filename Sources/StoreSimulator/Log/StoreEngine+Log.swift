import Foundation
import StoreManagerCore

extension StoreEngine {
    /// What a line of the log is about.
    enum Subject {
        case store
        case account(Int)
        case device(Int)
        /// The account that a transaction belongs to.
        case owner(UInt64)
    }

    /// Writes a line into the log, unless it is about an account that nobody watches: a crowd of subscribers goes by without
    /// a word.
    mutating func note(_ event: StoreLogEntry.Event, _ subject: Subject, _ fields: StoreLogEntry.Field?...) {
        note(event, subject, fields: fields.compactMap(\.self))
    }

    /// Writes a line into the log, unless it is about an account that nobody watches.
    mutating func note(_ event: StoreLogEntry.Event, _ subject: Subject, fields: [StoreLogEntry.Field]) {
        guard let name = name(of: subject) else { return }
        log.append(
            StoreLogEntry(number: log.count + 1, date: present ?? now, subject: name, event: event, fields: fields))
    }

    /// Writes down how far the clock has moved, and what went by unseen.
    mutating func noteAdvance() {
        let renewals = unwatchedRenewals
        unwatchedRenewals = 0
        note(.advanced, .store, renewals == 0 ? nil : .init("unwatched-renewals", String(renewals)))
    }

    private func name(of subject: Subject) -> String? {
        switch subject {
        case .store: return "store"
        case .device(let device): return devices[device].name
        case .account(let account): return accounts[account].isWatched ? accounts[account].name : nil
        case .owner(let id):
            guard let account = history.record(of: id)?.account else { return nil }
            return name(of: .account(Int(account)))
        }
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
        case .transaction(let code): "SKError.\(code)"
        }
    }
}
