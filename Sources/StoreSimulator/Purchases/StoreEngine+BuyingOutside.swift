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
        let present = now
        if let date, date > present { throw .invalidAction("A purchase cannot be made in the future.") }
        now = date ?? present
        let quiet = controls.habits.keepsOutsidePurchasesQuiet ? stopListening(account) : []
        note(
            .payment, .account(account), .product(request.productIdentifier), .quantity(request.quantity),
            request.offer.map { .init("offer", $0.name) })
        let id = complete(open(request, for: product, account: account))
        if behavior == .cancelImmediately, catalogue[product].type == .autoRenewable {
            try? setAutoRenew(false, of: id)
        }
        while let due = agenda.nextDue, due <= present {
            now = max(now, due)
            renewNext()
        }
        now = present
        for device in quiet { devices[device].app?.isObserving = true }
        return id
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
