import Foundation
import StoreManagerCore
import StoreSimulator

extension Shop {
    /// Lets time pass, from one thing that happens to the next, so that each is told at its own date.
    func advance(_ interval: ShopInterval) async {
        let end =
            switch interval.length {
            case .hours(let hours): store.clock.now.addingTimeInterval(Double(hours) * 3600)
            case .period(let period): store.clock.date(after: period)
            }
        while let due = store.nextDueDate, due < end {
            store.clock.advance(to: due)
            await settle()
            tellStandings()
        }
        store.clock.advance(to: end)
        await settle()
        tellStandings()
        output.say("It is \(store.clock.now.ISO8601Format()).")
        output.emit(.advanced, at: store.clock.now)
    }

    /// How a subscription stands.
    struct Standing: Equatable {
        let product: String
        let state: StoreSubscriptionStatus.State
        let willAutoRenew: Bool
        let expires: Date?
        let graceUntil: Date?
    }

    /// How each subscription stands now, by group.
    func standingsNow() -> [String: Standing] {
        var standings: [String: Standing] = [:]
        for info in store.renewalInfos {
            guard let latest = store.latestTransaction(for: info.currentProductIdentifier),
                let group = latest.subscriptionGroupID, let state = store.subscriptionState(inGroup: group)
            else { continue }
            standings[group] = Standing(
                product: info.currentProductIdentifier, state: state, willAutoRenew: info.willAutoRenew,
                expires: latest.expirationDate, graceUntil: info.gracePeriodExpirationDate)
        }
        return standings
    }

    /// Tells of every subscription that stands otherwise than when it was last looked at. Nothing but the store itself knows of
    /// a subscription that ends: an app is not told, it has to ask.
    func tellStandings() {
        let (before, now) = (standings, standingsNow())
        standings = now
        for (group, standing) in now.sorted(by: { $0.key < $1.key }) where before[group] != standing {
            if before[group]?.state != standing.state, before[group] != nil || standing.state != .subscribed {
                output.say("  \(standing)")
            }
            output.emit(.subscriptionChanged, at: store.clock.now, standing.fields)
        }
    }
}

extension Shop.Standing: CustomStringConvertible {
    var description: String {
        let now =
            switch state {
            case .subscribed: "subscribed"
            case .inGracePeriod:
                "not paid, access goes on" + (graceUntil.map { " until \($0.ISO8601Format())" } ?? " for a while")
            case .inBillingRetry: "not paid, no access; the store goes on trying to charge"
            case .expired: "ended"
            case .revoked: "taken back"
            }
        return "\(product): \(now)"
    }

    /// What programs are told of it.
    var fields: [ShopField: Any?] {
        [
            .product: product, .state: state.rawValue, .willAutoRenew: willAutoRenew,
            .expires: expires?.ISO8601Format(), .graceUntil: graceUntil?.ISO8601Format(),
        ]
    }
}
