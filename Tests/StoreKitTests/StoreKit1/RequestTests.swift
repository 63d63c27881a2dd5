import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct RequestTests {
        let kiosk: Kiosk
        let log = RequestLog()

        init() throws { kiosk = try Kiosk() }

        @Test("A request for products is answered with those that there are, then ends")
        func products() async {
            let request = SKProductsRequest(productIdentifiers: [Kiosk.stamps, "com.example.nothing", Kiosk.removeAds])
            request.delegate = log
            request.start()
            await StoreKitDouble.settle()
            #expect(log.lines == ["found removeads,stamps without com.example.nothing", "finished"])
        }

        @Test("The delegate of a products request is the same seen as one of any request")
        func delegates() {
            let request = SKProductsRequest(productIdentifiers: [])
            request.delegate = log
            let base: SKRequest = request
            #expect(base.delegate === log)
            base.delegate = nil
            #expect((request.delegate as (any SKProductsRequestDelegate)?) == nil)
        }

        @Test("A request that is cancelled, or released, is answered to nobody")
        func cancelled() async {
            let request = SKProductsRequest(productIdentifiers: [Kiosk.stamps])
            request.delegate = log
            request.start()
            request.cancel()
            var released: SKProductsRequest? = SKProductsRequest(productIdentifiers: [Kiosk.stamps])
            released?.delegate = log
            released?.start()
            released = nil
            await StoreKitDouble.settle()
            #expect(log.lines.isEmpty)
        }

        @Test("A request that is cancelled and started again is answered once")
        func restarted() async {
            let request = SKProductsRequest(productIdentifiers: [Kiosk.stamps])
            request.delegate = log
            request.start()
            request.cancel()
            request.start()
            request.start()
            await StoreKitDouble.settle()
            #expect(log.lines == ["found stamps without ", "finished"])
        }

        @Test("Offline a request fails with an error of the network")
        func offline() async {
            kiosk.store.faults[.products].isOffline = true
            let request = SKProductsRequest(productIdentifiers: [Kiosk.stamps])
            request.delegate = log
            request.start()
            await StoreKitDouble.settle()
            #expect(log.lines == ["failed \(NSURLErrorDomain) \(URLError.Code.notConnectedToInternet.rawValue)"])
        }

        @Test("A receipt is renewed where there is a signer, and lies where it was asked for")
        func receipt() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            let url = folder.appending(path: "receipt")
            StoreKitDouble.receiptURL = url
            let request = SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: true])
            #expect(request.receiptProperties?.keys.sorted() == [SKReceiptPropertyIsExpired])
            request.delegate = log
            request.start()
            await StoreKitDouble.settle()
            #expect(log.lines == ["finished"])
            #expect(!FileManager.default.fileExists(atPath: url.path))

            kiosk.store.signer = CountingSigner()
            request.start()
            await StoreKitDouble.settle()
            #expect(try Data(contentsOf: url) == Data("0 transactions".utf8))
            try kiosk.store.buyProduct(identifier: Kiosk.removeAds)
            await StoreKitDouble.settle()
            #expect(try Data(contentsOf: url) == Data("1 transactions".utf8))
        }

        @Test("A receipt that cannot be renewed is an error")
        func receiptFails() async {
            kiosk.store.simulatedErrors[.appTransaction] = .generic(.userCancelled)
            let request = SKReceiptRefreshRequest()
            request.delegate = log
            request.start()
            await StoreKitDouble.settle()
            #expect(log.lines == ["failed \(SKErrorDomain) \(SKError.paymentCancelled.rawValue)"])
        }

        @Test("A request of an earlier process is answered to nobody")
        func relaunch() async {
            kiosk.store.hold(.products)
            let request = SKProductsRequest(productIdentifiers: [Kiosk.stamps])
            request.delegate = log
            request.start()
            await StoreKitDouble.settle()
            StoreKitDouble.relaunch()
            kiosk.store.release(.products)
            await StoreKitDouble.settle()
            #expect(log.lines.isEmpty)
        }

        @Test("A product says what the store says")
        func values() async throws {
            kiosk.store.hostedContent = [Kiosk.removeAds: [HostedContent(id: "pictures", length: 512, version: "2.1")]]
            let found = try await ProductFetch.products([Kiosk.removeAds, Kiosk.goldMonthly, Kiosk.silverMonthly])
            let products = Dictionary(uniqueKeysWithValues: found.products.map { ($0.productIdentifier, $0) })
            let removeAds = try #require(products[Kiosk.removeAds])
            #expect(removeAds.localizedTitle == "No advertisements")
            #expect(removeAds.localizedDescription == "For ever.")
            #expect(removeAds.price == NSDecimalNumber(string: "4.99"))
            #expect(removeAds.priceLocale.currency?.identifier == "USD")
            #expect(removeAds.isFamilyShareable)
            #expect(removeAds.subscriptionPeriod == nil && removeAds.subscriptionGroupIdentifier == nil)
            #expect(removeAds.isDownloadable)
            #expect(removeAds.downloadContentLengths == [512])
            #expect(removeAds.downloadContentVersion == "2.1" && removeAds.contentVersion == "2.1")

            let gold = try #require(products[Kiosk.goldMonthly])
            #expect(gold.subscriptionGroupIdentifier == Kiosk.group)
            #expect(gold.subscriptionPeriod?.numberOfUnits == 1 && gold.subscriptionPeriod?.unit == .month)
            let trial = try #require(gold.introductoryPrice)
            #expect(trial.type == .introductory && trial.paymentMode == .freeTrial && trial.identifier == nil)
            #expect(trial.price == 0 && trial.numberOfPeriods == 1)
            #expect(trial.subscriptionPeriod.unit == .week)
            #expect(!gold.isDownloadable)

            let loyal = try #require(products[Kiosk.silverMonthly]?.discounts.first)
            #expect(loyal.type == .subscription && loyal.paymentMode == .payAsYouGo && loyal.identifier == "loyal")
            #expect(loyal.price == NSDecimalNumber(string: "2.99") && loyal.numberOfPeriods == 3)
            #expect(loyal.priceLocale.currency?.identifier == "USD")
        }

        @Test("What an app makes itself is empty")
        func emptyValues() {
            #expect(SKProduct().productIdentifier.isEmpty && SKProduct().price == 0)
            #expect(SKProductDiscount().numberOfPeriods == 0 && SKProductSubscriptionPeriod().numberOfUnits == 0)
            #expect(SKProductsResponse().products.isEmpty)
            #expect(SKPaymentTransaction().transactionState == .purchasing)
            #expect(SKStorefront().countryCode.isEmpty)
            #expect(SKDownload().state == .waiting)
            #expect(SKDownload().timeRemaining == SKDownloadTimeRemainingUnknown)
        }
    }
}

/// Writes down what requests are answered.
final class RequestLog: NSObject, SKProductsRequestDelegate, Sendable {
    private let heard = Locked<[String]>([])

    var lines: [String] { heard.withLock { $0 } }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        let found = response.products.map { $0.productIdentifier.replacing("com.example.kiosk.", with: "") }
        let missing = response.invalidProductIdentifiers.joined(separator: ",")
        note("found \(found.joined(separator: ",")) without \(missing)")
    }

    func requestDidFinish(_ request: SKRequest) { note("finished") }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        let error = error as NSError
        note("failed \(error.domain) \(error.code)")
    }

    private func note(_ line: String) { heard.withLock { $0.append(line) } }
}
