import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct SubscriptionTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        @Test("A subscription is subscribed, and says when and to what it renews")
        func subscribed() async throws {
            #expect(try await Product.SubscriptionInfo.status(for: Kiosk.group).isEmpty)
            let bought = try await kiosk.buy(Kiosk.silverMonthly, options: [.appAccountToken(UUID())])
            let status = try await status()
            #expect(status.state == .subscribed)
            #expect(try status.transaction.payloadValue == bought)
            let info = try status.renewalInfo.payloadValue
            #expect(info.originalTransactionID == bought.id && info.currentProductID == Kiosk.silverMonthly)
            #expect(info.willAutoRenew && info.autoRenewPreference == Kiosk.silverMonthly)
            #expect(info.renewalDate == bought.expirationDate && info.renewalPrice == Decimal(string: "4.99"))
            #expect(info.currency?.identifier == "USD" && info.currencyCode == "USD")
            #expect(info.expirationReason == nil && !info.isInBillingRetry && info.gracePeriodExpirationDate == nil)
            #expect(info.priceIncreaseStatus == .noIncreasePending && info.offer == nil)
            #expect(info.recentSubscriptionStartDate == bought.purchaseDate)
            #expect(info.appAccountToken == bought.appAccountToken)
            #expect(info.environment == .xcode && info.appTransactionID == bought.appTransactionID)
            #expect(await bought.subscriptionStatus == status)
            #expect(try await Product.SubscriptionInfo.status(transactionID: bought.id) == status)
            #expect(try await Product.SubscriptionInfo.status(transactionID: 9_999) == nil)
            let terms = try #require(try await kiosk.product(Kiosk.silverMonthly).subscription)
            #expect(try await terms.status == [status])
        }

        @Test("A subscription that does not renew expires, and says why")
        func expired() async throws {
            let bought = try await kiosk.buy(Kiosk.silverMonthly)
            try kiosk.session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(try await status().renewalInfo.payloadValue.willAutoRenew == false)
            #expect(try await status().renewalInfo.payloadValue.autoRenewPreference == nil)
            kiosk.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            let status = try await status()
            #expect(status.state == .expired)
            let info = try status.renewalInfo.payloadValue
            #expect(info.expirationReason == .autoRenewDisabled)
            #expect(info.eligibleWinBackOfferIDs == ["comeback"])
        }

        @Test("A renewal that fails has a grace period, then a billing retry, and recovers")
        func billingRetry() async throws {
            kiosk.session.billingGracePeriodIsEnabled = true
            kiosk.session.shouldEnterBillingRetryOnRenewal = true
            let bought = try await kiosk.buy(Kiosk.silverMonthly)
            kiosk.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            #expect(try await status().state == .inGracePeriod)
            let info = try await status().renewalInfo.payloadValue
            let end = try #require(info.gracePeriodExpirationDate)
            #expect(info.isInBillingRetry)
            kiosk.store.clock.advance(to: end)
            #expect(try await status().state == .inBillingRetryPeriod)
            kiosk.session.shouldEnterBillingRetryOnRenewal = false
            try kiosk.session.resolveIssueForTransaction(identifier: UInt(bought.id))
            #expect(try await status().state == .subscribed)
        }

        @Test("A refund revokes a subscription")
        func revoked() async throws {
            let bought = try await kiosk.buy(Kiosk.silverMonthly)
            try kiosk.session.refundTransaction(identifier: UInt(bought.id))
            #expect(try await status().state == .revoked)
        }

        @Test("Every change of a status is told, and nothing else")
        func statusUpdates() async throws {
            var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            let bought = try await kiosk.buy(Kiosk.silverMonthly)
            #expect(await updates.next()?.state == .subscribed)
            try await kiosk.buy(Kiosk.stamps)
            kiosk.store.clock.advance(by: 60)
            try kiosk.session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(await updates.next()?.renewalInfo.unsafePayloadValue.willAutoRenew == false)
            kiosk.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            #expect(await updates.next()?.state == .expired)
        }

        @Test("All statuses come group by group")
        func allStatuses() async throws {
            try await kiosk.buy(Kiosk.silverMonthly)
            var groups: [String] = []
            for await (groupID, statuses) in Product.SubscriptionInfo.Status.all {
                groups.append(groupID)
                #expect(statuses.map(\.state) == [.subscribed])
            }
            #expect(groups == [Kiosk.group])
        }

        @Test("An introductory offer is for new subscribers")
        func eligibility() async throws {
            let terms = try #require(try await kiosk.product(Kiosk.goldMonthly).subscription)
            #expect(await terms.isEligibleForIntroOffer)
            try await kiosk.buy(Kiosk.goldMonthly)
            #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: Kiosk.group))
        }

        @Test("A higher price is pending, then agreed, and counts from the next renewal")
        func priceIncrease() async throws {
            let bought = try await kiosk.buy(Kiosk.silverMonthly)
            let id = UInt(bought.id)
            try kiosk.session.requestPriceIncreaseConsentForTransaction(identifier: id)
            #expect(try await status().renewalInfo.payloadValue.priceIncreaseStatus == .pending)
            #expect(kiosk.session.allTransactions().first?.isPendingPriceIncreaseConsent == true)
            try kiosk.session.consentToPriceIncreaseForTransaction(identifier: id)
            #expect(try await status().renewalInfo.payloadValue.priceIncreaseStatus == .agreed)
            try kiosk.session.requestPriceIncreaseConsentForTransaction(identifier: id)
            try kiosk.session.declinePriceIncreaseForTransaction(identifier: id)
            #expect(try await status().renewalInfo.payloadValue.willAutoRenew == false)
        }

        @Test("What the family shares is owned as the family's")
        func familySharing() async throws {
            let mother = kiosk.store.device(named: "tablet", account: "mother")
            try mother.buyProduct(identifier: Kiosk.removeAds)
            try kiosk.store.joinFamily(of: "mother")
            #expect(try await Kiosk.only(Transaction.currentEntitlements).ownershipType == .familyShared)
        }

        private func status() async throws -> Product.SubscriptionInfo.Status {
            try #require(try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
        }
    }
}
