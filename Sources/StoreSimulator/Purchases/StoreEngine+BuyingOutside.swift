import Foundation
import StoreManagerCore

/// How a subscription that is bought with a date in the past goes on from there.
public enum StoreRenewalBehavior: String, Hashable, Codable, Sendable, CaseIterable {
    /// It is renewed until now, and goes on.
    case renewUntilNow
    /// Its renewal is switched off at once.
    case cancelImmediately
}

extension StoreEngine {
    /// Buys outside the app: on the app's page in the store, or on a device that does not run it.
    ///
    /// - Parameters:
    ///   - date: When it was bought; nil is now.
    ///   - behavior: How a subscription goes on from there.
    mutating func buyOutside(
        _ request: PaymentRequest, on date: Date?, _ behavior: StoreRenewalBehavior, account: Int
    ) throws(SimulatorError) -> UInt64 {
        guard let product = catalogue.position(of: request.productIdentifier) else {
            throw .invalidProductIdentifier(request.productIdentifier)
        }
        if let obstacle = obstacle(to: request, for: product, account: account) {
            throw .invalidAction("\"\(request.productIdentifier)\" cannot be bought: \(obstacle.name).")
        }
        let today = now
        if let date, date != today { try checkPast(date, product, account: account) }
        now = date ?? today
        present = today
        let quiet = controls.habits.keepsOutsidePurchasesQuiet ? stopListening(account) : []
        note(
            .payment, .account(account), .product(request.productIdentifier), .quantity(request.quantity),
            request.offer.map { .init("offer", $0.name) }, date.map { .init("bought", CivilDate($0).description) })
        let id = complete(open(request, for: product, account: account))
        if behavior == .cancelImmediately, catalogue[product].type == .autoRenewable {
            try? setAutoRenew(false, of: id)
        }
        while let due = agenda.nextDue?.unlessNever, due <= today {
            now = max(now, due)
            renewNext()
        }
        now = today
        present = nil
        for device in quiet { devices[device].app?.isObserving = true }
        return id
    }

    /// What was bought already cannot have been bought before something that is made up now: a subscription's history only
    /// grows at its end.
    private func checkPast(_ date: Date, _ product: Int, account: Int) throws(SimulatorError) {
        if date > now { throw .invalidAction("A purchase cannot be made in the future.") }
        guard let groupID = catalogue[product].subscription?.groupID,
            let index = subscriptionIndex(inGroup: groupID, account: account)
        else { return }
        let first = lastChange(of: index)
        guard date < first else { return }
        throw .invalidAction(
            "\(accounts[account].name) subscribes to this group since before: a purchase on \(CivilDate(date)) would change"
                + " what came after; it has to be on \(CivilDate(first)) or later.")
    }

    /// When a subscription became what it is.
    private func lastChange(of index: Int) -> Date {
        let record = history.record(of: subscriptions[index].lastID)
        let bought = record.map { purchaseDate($0.count - 1, of: $0) } ?? now
        return switch subscriptions[index].phase {
        case .active: bought
        case .grace(let trouble): max(bought, trouble.begin)
        case .retry(let trouble): max(bought, trouble.graceEnd ?? trouble.begin)
        case .expired:
            max(subscriptions[index].special?.endings.last?.date ?? bought, subscriptions[index].expiration)
        case .revoked: max(bought, record?.details?.revocationDate ?? now)
        }
    }

    /// Opens accounts that subscribed to a product one after the other, evenly spread over the last seconds.
    mutating func addSubscribers(
        _ count: Int, to product: String, overLast interval: TimeInterval
    ) throws(SimulatorError) {
        guard count > 0, interval >= 0, interval < .infinity else {
            throw .invalidAction("\(count) subscribers over \(interval) seconds are none; both have to be positive.")
        }
        guard catalogue.product(product) != nil else { throw .invalidProductIdentifier(product) }
        guard catalogue.product(product)?.type == .autoRenewable else {
            throw .invalidProductType("\"\(product)\" is no auto-renewable subscription.")
        }
        for number in 1...count {
            let account = addAccount("subscriber-\(accounts.count)")
            let date = now - interval * Double(count - number) / Double(count)
            do throws(SimulatorError) {
                _ = try buyOutside(
                    PaymentRequest(productIdentifier: product), on: date, .renewUntilNow, account: account)
            } catch {
                // Only the first can fail: what keeps one from buying keeps all.
                accounts.removeLast()
                throw error
            }
        }
    }

    /// Keeps news from the devices of an account; returns those that are to listen again.
    private mutating func stopListening(_ account: Int) -> [Int] {
        let listening = accounts[account].devices.map { Int($0) }.filter { devices[$0].app?.isObserving == true }
        for device in listening { devices[device].app?.isObserving = false }
        return listening
    }
}
