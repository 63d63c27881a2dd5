import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct QueueEventTests {
        let kiosk: Kiosk
        let queue = SKPaymentQueue.default()

        init() throws { kiosk = try Kiosk() }

        @Test("A purchase that was begun in the store goes on at once where an observer says so")
        func promoted() async throws {
            let recorder = QueueRecorder()
            queue.add(recorder)
            try kiosk.store.sendPurchaseIntent(productIdentifier: Kiosk.stamps)
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["offered stamps", "purchasing stamps", "purchased stamps"])
        }

        @Test("When the store changes, what is open fails, and what was answered does not", arguments: [true, false])
        func storeChange(asksToBuy: Bool) async throws {
            let recorder = QueueRecorder()
            queue.add(recorder)
            let product = FakeProduct(Kiosk.removeAds, price: "1")
            queue.add(SKPayment(product: product))
            await StoreKitDouble.settle()
            kiosk.session.askToBuyEnabled = asksToBuy
            if !asksToBuy { kiosk.store.buyer.standingAnswer = .hesitate }
            queue.add(SKPayment(product: FakeProduct(Kiosk.stamps, price: "1")))
            await StoreKitDouble.settle()
            kiosk.store.hold(.restore)
            queue.restoreCompletedTransactions()
            await StoreKitDouble.settle()
            let count = recorder.lines.count
            #expect(!recorder.lines.contains { $0.contains("failed") })

            StoreKitDouble.currentStore = nil
            await StoreKitDouble.settle()
            #expect(recorder.lines.dropFirst(count).map { $0 } == ["failed stamps", "restore failed 0"])
            #expect(queue.transactions.isEmpty)
        }

        @Test("A purchase that was begun in the store is dropped where the observer says no, or nothing")
        func promotedDeclined() async throws {
            let recorder = QueueRecorder(acceptsStorePayments: false)
            let silent = SilentObserver()
            queue.add(recorder)
            queue.add(silent)
            try kiosk.store.sendPurchaseIntent(productIdentifier: Kiosk.stamps)
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["offered stamps"])
            #expect(queue.transactions.isEmpty)
        }

        @Test("A purchase that was begun in the store waits for the first observer")
        func promotedWaits() async throws {
            try kiosk.store.sendPurchaseIntent(productIdentifier: Kiosk.stamps)
            await StoreKitDouble.settle()
            let recorder = QueueRecorder()
            queue.add(recorder)
            await StoreKitDouble.settle()
            #expect(recorder.lines.first == "offered stamps")
        }

        @Test(
            "A payment that was begun in the store brings its offer along, kept for later or not",
            arguments: [true, false])
        func promotedWithOffer(atOnce: Bool) async throws {
            try kiosk.store.buyProduct(identifier: Kiosk.silverMonthly)
            try kiosk.session.expireSubscription(productIdentifier: Kiosk.silverMonthly)
            let keeper = PaymentKeeper(acceptsAtOnce: atOnce)
            queue.add(keeper)
            try kiosk.store.sendPurchaseIntent(productIdentifier: Kiosk.silverMonthly, offerID: "comeback")
            await StoreKitDouble.settle()
            if !atOnce {
                #expect(kiosk.store.allTransactions.count == 1)
                queue.add(try #require(keeper.payment))
                await StoreKitDouble.settle()
            }
            #expect(kiosk.store.allTransactions.last?.transaction.offer?.id == "comeback")
        }

        @Test("A change of the storefront is told, with the new country in the queue")
        func storefront() async throws {
            let recorder = QueueRecorder()
            queue.add(recorder)
            #expect(queue.storefront?.countryCode == "USA")
            kiosk.session.storefront = "DEU"
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["storefront DEU"])
            #expect(queue.storefront?.identifier == "DEU")
        }

        @Test(
            "A payment that is under way ends when the delegate does not want it in the new storefront",
            arguments: [true, false])
        func storefrontDuringPayment(goesOn: Bool) async throws {
            let recorder = QueueRecorder(continuesInNewStorefront: goesOn)
            queue.delegate = recorder
            #expect(queue.delegate === recorder)
            queue.add(recorder)
            kiosk.store.buyer.standingAnswer = .hesitate
            queue.add(SKPayment(product: try await product(Kiosk.stamps)))
            await StoreKitDouble.settle()
            kiosk.session.storefront = "DEU"
            await StoreKitDouble.settle()
            #expect(recorder.lines.contains("asked about DEU"))
            #expect(queue.transactions.first?.transactionState == (goesOn ? .purchasing : .failed))
            if !goesOn {
                #expect((queue.transactions.first?.error as? SKError)?.code == .storeProductNotAvailable)
            }
        }

        @Test("The sheet for a higher price is shown at once, or when the app says", arguments: [true, false])
        func priceConsent(atOnce: Bool) async throws {
            let recorder = QueueRecorder(showsPriceConsent: atOnce)
            queue.delegate = recorder
            let known = StoreKitDouble.presentedSheets.count
            let bought = try kiosk.store.buyProduct(identifier: Kiosk.goldMonthly)
            try kiosk.session.requestPriceIncreaseConsentForTransaction(identifier: try #require(UInt(bought.id)))
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["asked about price"])
            #expect(StoreKitDouble.presentedSheets.count == known + (atOnce ? 1 : 0))
            queue.showPriceConsentIfNeeded()
            queue.showPriceConsentIfNeeded()
            await StoreKitDouble.settle()
            #expect(StoreKitDouble.presentedSheets.dropFirst(known) == [.priceConsent])
        }

        @Test("The sheet for offer codes is shown")
        func codeRedemption() async {
            queue.presentCodeRedemptionSheet()
            await StoreKitDouble.settle()
            #expect(StoreKitDouble.presentedSheets.last == .offerCodeRedemption)
        }

        @Test("Hosted content is downloaded, stopped, and goes on, and the same objects tell of it")
        func downloads() async throws {
            kiosk.store.hostedContent = [Kiosk.removeAds: [HostedContent(id: "pictures"), HostedContent(id: "words")]]
            kiosk.store.contentFolder = URL(filePath: "/content")
            let recorder = QueueRecorder()
            queue.add(recorder)
            queue.add(SKPayment(product: try await product(Kiosk.removeAds)))
            await StoreKitDouble.settle()
            let transaction = try #require(queue.transactions.first)
            let downloads = transaction.downloads
            #expect(downloads.map(\.contentIdentifier) == ["pictures", "words"])
            let pictures = try #require(downloads.first)
            #expect(pictures.transaction === transaction && pictures.expectedContentLength == 10_000_000)

            queue.start([pictures])
            await StoreKitDouble.settle()
            kiosk.store.clock.advance(by: 5)
            await StoreKitDouble.settle()
            #expect(pictures.state == .active && pictures.progress == 0.5 && pictures.timeRemaining == 5)
            queue.pause([pictures])
            await StoreKitDouble.settle()
            #expect(pictures.downloadState == .paused)
            queue.resume([pictures])
            await StoreKitDouble.settle()
            kiosk.store.clock.advance(by: 5)
            queue.cancel(downloads)
            await StoreKitDouble.settle()
            #expect(pictures.state == .finished && pictures.contentURL?.lastPathComponent == "pictures")
            #expect(downloads.last?.state == .cancelled)
            #expect(recorder.lines.last == "download cancelled 0")
        }

        @Test("A download that fails says why")
        func failedDownload() async throws {
            kiosk.store.hostedContent = [Kiosk.removeAds: [HostedContent(id: "pictures", failsAt: 0.3)]]
            queue.add(SKPayment(product: try await product(Kiosk.removeAds)))
            await StoreKitDouble.settle()
            let downloads = try #require(queue.transactions.first?.downloads)
            queue.start(downloads)
            await StoreKitDouble.settle()
            kiosk.store.clock.advance(by: 10)
            await StoreKitDouble.settle()
            #expect(downloads.first?.state == .failed)
            #expect(downloads.first?.error != nil)
        }

        private func product(_ identifier: String) async throws -> SKProduct {
            try #require(try await ProductFetch.products([identifier]).products.first)
        }
    }
}

/// An observer that has nothing but what it must have.
private final class SilentObserver: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
}

/// Keeps a payment that was begun in the store.
private final class PaymentKeeper: NSObject, SKPaymentTransactionObserver {
    private let acceptsAtOnce: Bool
    private(set) var payment: SKPayment?

    init(acceptsAtOnce: Bool) { self.acceptsAtOnce = acceptsAtOnce }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        self.payment = payment
        return acceptsAtOnce
    }
}
