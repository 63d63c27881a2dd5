import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Server notifications")
struct ServerNotificationTests {
    /// The notifications of what `body` does, in short.
    private func notifications(
        of configuration: StoreConfiguration = Shop.configuration(),
        _ body: (SimulatedStore) throws -> Void
    ) async throws -> [String] {
        var store: SimulatedStore? = SimulatedStore(configuration: configuration)
        let stream = try #require(store).serverNotifications
        try body(try #require(store))
        // The stream ends with its store.
        store = nil
        var texts: [String] = []
        for await notification in stream {
            texts.append(
                [notification.kind.rawValue, notification.subtype?.rawValue].compactMap(\.self).joined(separator: " "))
            #expect((notification.renewalInfo != nil) == (notification.transaction.productType == .autoRenewable))
        }
        return texts
    }

    @Test("C02 the app's server is told of a subscription's whole life")
    func life() async throws {
        let texts = try await notifications { store in
            store.billingGracePeriodIsEnabled = true
            let silver = try store.buyProduct(identifier: Shop.silverMonthly)
            store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            try store.buyProduct(identifier: Shop.goldMonthly)
            try store.buyProduct(identifier: Shop.silverMonthly)
            try store.disableAutoRenewForTransaction(identifier: silver.id)
            try store.enableAutoRenewForTransaction(identifier: silver.id)
            store.shouldEnterBillingRetryOnRenewal = true
            store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            store.clock.advance(by: 86_400 * 17)
            try store.resolveIssueForTransaction(identifier: silver.id)
            store.shouldEnterBillingRetryOnRenewal = false
            try store.expireSubscription(productIdentifier: Shop.goldMonthly)
            try store.buyProduct(identifier: Shop.goldMonthly)
        }
        #expect(
            texts == [
                "SUBSCRIBED INITIAL_BUY", "DID_RENEW", "DID_CHANGE_RENEWAL_PREF UPGRADE",
                "DID_CHANGE_RENEWAL_PREF DOWNGRADE", "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED",
                "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED", "DID_FAIL_TO_RENEW GRACE_PERIOD",
                "GRACE_PERIOD_EXPIRED", "DID_RENEW BILLING_RECOVERY", "EXPIRED VOLUNTARY", "SUBSCRIBED RESUBSCRIBE",
            ])
    }

    @Test("C02 the app's server is told of money: charges, refunds, prices, offers")
    func money() async throws {
        let texts = try await notifications { store in
            let coins = try store.buyProduct(identifier: Shop.coins)
            try store.refundTransaction(identifier: coins.id)
            try store.reverseRefund(identifier: coins.id)
            store.declinesRefundRequests = true
            try store.beginRefundRequest(identifier: coins.id)
            let silver = try store.redeemOfferCode(referenceName: "fair", productIdentifier: Shop.silverMonthly)
            try store.requestPriceIncreaseConsentForTransaction(identifier: silver.id, price: 6)
            try store.consentToPriceIncreaseForTransaction(identifier: silver.id)
        }
        #expect(
            texts == [
                "ONE_TIME_CHARGE", "REFUND", "REFUND_REVERSED", "REFUND_DECLINED", "OFFER_REDEEMED INITIAL_BUY",
                "PRICE_INCREASE PENDING", "PRICE_INCREASE ACCEPTED",
            ])
    }

    @Test("C02 the app's server is told of each way in which a subscription ends")
    func endings() async throws {
        let texts = try await notifications { store in
            store.shouldEnterBillingRetryOnRenewal = true
            try store.buyProduct(identifier: Shop.goldMonthly)
            store.clock.advance(by: StoreSubscriptionPeriod(value: 4, unit: .month))
            store.shouldEnterBillingRetryOnRenewal = false
            let gold = try store.buyProduct(identifier: Shop.goldMonthly)
            try store.requestPriceIncreaseConsentForTransaction(identifier: gold.id)
            store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            try store.buyProduct(identifier: Shop.goldMonthly)
            store.unavailableProducts = [Shop.goldMonthly]
            store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        }
        #expect(
            texts.filter { !$0.hasPrefix("SUBSCRIBED") } == [
                "DID_FAIL_TO_RENEW", "EXPIRED BILLING_RETRY", "PRICE_INCREASE PENDING", "EXPIRED PRICE_INCREASE",
                "EXPIRED PRODUCT_NOT_FOR_SALE",
            ])
    }

    @Test("C02 the app's server is told when a family member loses a share")
    func family() async throws {
        let texts = try await notifications { store in
            let child = store.device(named: "tablet", account: "child")
            try child.joinFamily(of: store.accountName)
            try store.buyProduct(identifier: Shop.removeAds)
            try child.leaveFamily()
        }
        #expect(texts == ["ONE_TIME_CHARGE", "REVOKE"])
    }

    @Test("C02 every reader has all notifications from the moment it asked")
    func readers() async throws {
        let store = SimulatedStore(configuration: Shop.configuration())
        try store.buyProduct(identifier: Shop.coins)
        var first = store.serverNotifications.makeAsyncIterator()
        try store.buyProduct(identifier: Shop.season)
        var second = store.serverNotifications.makeAsyncIterator()
        try store.buyProduct(identifier: Shop.removeAds)
        #expect(await first.next()?.transaction.productIdentifier == Shop.season)
        #expect(await first.next()?.transaction.productIdentifier == Shop.removeAds)
        #expect(await second.next()?.transaction.productIdentifier == Shop.removeAds)
    }
}
