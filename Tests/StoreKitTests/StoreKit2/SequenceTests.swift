import Foundation
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

@_spi(StoreKitDouble) @testable import StoreKit

extension StoreKitDoubleTests {
    @MainActor
    struct SequenceTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        @Test("Updates begin with what is unfinished, once, also in the next process")
        func backlog() async throws {
            let transaction = try await kiosk.buy(Kiosk.stamps)
            StoreKitDouble.relaunch()
            var updates = Transaction.updates.makeAsyncIterator()
            #expect(await updates.next()?.unsafePayloadValue.id == transaction.id)
            await StoreKitDouble.settle()
            try kiosk.store.buyProduct(identifier: Kiosk.season)
            #expect(await updates.next()?.unsafePayloadValue.productID == Kiosk.season)
        }

        @Test("A listener that begins later hears what is unfinished then")
        func lateListener() async throws {
            try kiosk.store.buyProduct(identifier: Kiosk.season)
            await StoreKitDouble.settle()
            var updates = Transaction.updates.makeAsyncIterator()
            #expect(await updates.next()?.unsafePayloadValue.productID == Kiosk.season)
        }

        @Test("Every listener hears everything, until its task is cancelled or the process ends")
        func listeners() async throws {
            var one = Transaction.updates.makeAsyncIterator()
            var other = Transaction.updates.makeAsyncIterator()
            try kiosk.store.buyProduct(identifier: Kiosk.season)
            #expect(await one.next()?.unsafePayloadValue.productID == Kiosk.season)
            #expect(await other.next()?.unsafePayloadValue.productID == Kiosk.season)
            let task = Task { for await _ in Transaction.updates {} }
            task.cancel()
            await task.value
            StoreKitDouble.relaunch()
            #expect(await one.next() == nil)
        }

        @Test("A refund is told, and takes the purchase from what the user is entitled to")
        func refund() async throws {
            let transaction = try await kiosk.buy(Kiosk.removeAds)
            await transaction.finish()
            var updates = Transaction.updates.makeAsyncIterator()
            try kiosk.session.refundTransaction(identifier: UInt(transaction.id))
            let revoked = try #require(await updates.next()?.unsafePayloadValue)
            #expect(revoked.id == transaction.id && revoked.revocationDate == kiosk.store.clock.now)
            #expect(revoked.revocationReason == .other && revoked.signedDate > transaction.signedDate)
            #expect(await Kiosk.all(Transaction.currentEntitlements).isEmpty)
            #expect(kiosk.session.allTransactions().first?.cancelDate == revoked.revocationDate)
        }

        @Test("Entitlements are what is owned; of consumables only unfinished ones are among all transactions")
        func selections() async throws {
            for product in [Kiosk.stamps, Kiosk.removeAds, Kiosk.season, Kiosk.goldMonthly] {
                try await kiosk.buy(product)
            }
            #expect(
                await Kiosk.all(Transaction.currentEntitlements).map(\.productID)
                    == [Kiosk.removeAds, Kiosk.season, Kiosk.goldMonthly])
            #expect(await Kiosk.all(Transaction.all).count == 4)
            for await result in Transaction.unfinished { await result.unsafePayloadValue.finish() }
            #expect(
                await Kiosk.all(Transaction.all).map(\.productID) == [Kiosk.removeAds, Kiosk.season, Kiosk.goldMonthly])
            #expect(await Kiosk.all(Transaction.all(for: Kiosk.season)).count == 1)
            #expect(await Kiosk.all(Transaction.currentEntitlements(for: Kiosk.stamps)).isEmpty)
            #expect(
                await Transaction.currentEntitlement(for: Kiosk.season)?.unsafePayloadValue.productID == Kiosk.season)
            #expect(await Transaction.currentEntitlement(for: Kiosk.stamps) == nil)
        }

        @Test("The latest transaction of a subscription is its renewal")
        func latest() async throws {
            let first = try await kiosk.buy(Kiosk.silverMonthly)
            kiosk.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            let product = try await kiosk.product(Kiosk.silverMonthly)
            let latest = try #require(await product.latestTransaction?.unsafePayloadValue)
            #expect(latest.originalID == first.id && latest.id > first.id && latest.reason == .renewal)
            #expect(await product.currentEntitlement?.unsafePayloadValue.id == latest.id)
            #expect(await Kiosk.all(product.currentEntitlements).map(\.id) == [latest.id])
        }

        @Test("A task that was cancelled reads nothing, and gets no error")
        func cancelledTask() async throws {
            try await kiosk.buy(Kiosk.removeAds)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let products = try await Product.products(for: [Kiosk.removeAds])
                let status = try await Product.SubscriptionInfo.status(for: Kiosk.group)
                return await (products.count, status.count, Kiosk.all(Transaction.currentEntitlements).count)
            }
            #expect(try await task.value == (0, 0, 0))
        }

        @Test("Finishing waits until the store has heard, and never longer than the process lives")
        func heldFinish() async throws {
            let transaction = try await kiosk.buy(Kiosk.stamps)
            kiosk.store.hold(.finish)
            // What `finish()` does once it is on the main actor, where this test is: so it is under way before the next line.
            let task = Task { await StoreLink.shared.finish(transaction.source) }
            await StoreKitDouble.settle()
            #expect(kiosk.store.pendingDeliveries.count == 1)
            StoreKitDouble.relaunch()
            await task.value
        }

        @Test("A synchronisation reads what the account owns, and repeats nothing as news")
        func sync() async throws {
            let transaction = try await kiosk.buy(Kiosk.removeAds)
            await transaction.finish()
            var updates = Transaction.updates.makeAsyncIterator()
            try await AppStore.sync()
            try kiosk.store.buyProduct(identifier: Kiosk.stamps)
            #expect(await updates.next()?.unsafePayloadValue.productID == Kiosk.stamps)
        }

        @Test("Changes of the storefront are told, with the currency")
        func storefronts() async throws {
            #expect(await Storefront.current?.countryCode == "USA")
            var updates = Storefront.updates.makeAsyncIterator()
            kiosk.session.storefront = "JPN"
            let new = try #require(await updates.next())
            #expect(new.countryCode == "JPN" && new.id == "JPN" && new.currency?.identifier == "JPY")
            let product = try await kiosk.product(Kiosk.stamps)
            #expect(product.priceFormatStyle.currencyCode == "JPY")
        }

        @Test("A purchase that was begun in the store goes to the listener, or waits for one")
        func intents() async throws {
            try kiosk.store.sendPurchaseIntent(productIdentifier: Kiosk.silverMonthly, offerID: "comeback")
            await StoreKitDouble.settle()
            var intents = PurchaseIntent.intents.makeAsyncIterator()
            let waiting = try #require(await intents.next())
            #expect(waiting.product.id == Kiosk.silverMonthly && waiting.offer?.id == "comeback")
            let recorder = QueueRecorder()
            SKPaymentQueue.default().add(recorder)
            try kiosk.store.sendPurchaseIntent(productIdentifier: Kiosk.stamps)
            let next = try #require(await intents.next())
            #expect(next.product.id == Kiosk.stamps && next.offer == nil && next.id == Kiosk.stamps)
            #expect(recorder.lines.isEmpty)
        }

        @Test("Who settles with the readers waits until every loop has dealt with what it was told")
        func readers() async throws {
            let heard = Locked<[String]>([])
            let reading = Task.detached {
                for await result in Transaction.updates {
                    await Task.yield()
                    heard.withLock { $0.append(result.unsafePayloadValue.productID) }
                }
            }
            while StoreKitDouble.readerCount == 0 { await Task.yield() }
            for _ in 0..<3 { try kiosk.store.buyProduct(identifier: Kiosk.stamps) }
            await StoreKitDouble.settleReaders()
            #expect(heard.withLock { $0 } == [Kiosk.stamps, Kiosk.stamps, Kiosk.stamps])
            reading.cancel()
            await reading.value
            #expect(StoreKitDouble.readerCount == 0)
        }

        @Test("A higher price and a renewal that failed are messages, which wait for a listener")
        func messages() async throws {
            let bought = try await kiosk.buy(Kiosk.silverMonthly)
            try kiosk.session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            try kiosk.session.consentToPriceIncreaseForTransaction(identifier: UInt(bought.id))
            var messages = Message.messages.makeAsyncIterator()
            #expect(await messages.next()?.reason == .priceIncreaseConsent)
            kiosk.session.shouldEnterBillingRetryOnRenewal = true
            kiosk.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            #expect(await messages.next()?.reason == .billingIssue)
        }
    }
}
