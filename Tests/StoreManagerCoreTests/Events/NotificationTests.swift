import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// Notifications, observers and queue handlers: who hears of what, and in which order.
@MainActor
struct NotificationTests {
    let shop = ManagerFixture()
    let center = NotificationCenter()
    let recorder = Recorder()

    init() {
        shop.manager.notificationCenter = center
        shop.manager.queueHandlers = .recording(in: recorder)
        _ = center.addObserver(forName: nil, object: shop.manager, queue: nil) { [recorder] in recorder.record($0.line)
        }
    }

    /// What observers were told.
    private var observed: [String] { recorder.lines.filter { $0.hasPrefix("store") } }

    @Test(
        "N02 N03 N04 everything that happens is told once by its notifications, observer methods and queue handlers",
        arguments: NotificationCase.all)
    func everything(notification: NotificationCase) async {
        let observer = FullObserver(recorder: recorder)
        shop.manager.addObserver(observer)
        await notification.happen(shop)
        #expect(recorder.lines.filter { $0.first?.isUppercase == true } == notification.notifications)
        #expect(observed == notification.observed)
        #expect(recorder.lines.filter { $0.hasPrefix("on") } == notification.queue)
        withExtendedLifetime(observer) {}
    }

    @Test("N02 the cases go through every notification, observer method and queue handler that there is")
    func complete() {
        func names(_ lines: KeyPath<NotificationCase, [String]>) -> Set<String> {
            let all = NotificationCase.all.flatMap { (one: NotificationCase) -> [String] in one[keyPath: lines] }
            return Set(all.map { line in String(line.prefix { $0 != " " }) })
        }
        #expect(
            names(\.notifications) == [
                "ProductsFetched", "ProductFetchFailed", "TransactionSucceeded", "TransactionFailed",
                "TransactionDeferred", "TransactionRevoked", "TransactionUpgraded", "RestoreFinished", "RestoreFailed",
                "ReceiptRefreshed",
                "ReceiptRefreshFailed", "DownloadUpdated", "DownloadFinished", "DownloadFailed", "DownloadPaused",
                "DownloadCancelled", "TransactionsUpdated", "TransactionsRemoved", "DownloadsUpdated",
                "StorefrontChanged",
            ])
        #expect(
            names(\.observed) == [
                "storeProductsFetched", "storeProductFetchFailed", "storeTransactionSucceeded",
                "storeTransactionFailed", "storeTransactionDeferred", "storeTransactionRevoked",
                "storeTransactionUpgraded", "storeRestoreFinished",
                "storeRestoreFailed", "storeReceiptRefreshed", "storeReceiptRefreshFailed", "storeDownloadUpdated",
                "storeDownloadFinished", "storeDownloadFailed", "storeDownloadPaused", "storeDownloadCancelled",
            ])
        #expect(
            names(\.queue) == [
                "onTransactionsUpdated", "onTransactionsRemoved", "onDownloadsUpdated", "onRestoreFinished",
                "onRestoreFailed",
            ])
    }

    @Test(
        "N03 N04 first the request's handlers, then queue handlers, observers and notifications",
        arguments: [true, false])
    func order(hasHandlers: Bool) async {
        let observer = FullObserver(recorder: recorder)
        shop.manager.addObserver(observer)
        let handlers = hasHandlers ? recorder.restoreHandlers("handlers") : RestoreHandlers()
        let token = shop.manager.restorePurchases(handlers: handlers)
        await shop.report(.restoreFinished(for: token))
        let names = recorder.lines.map { $0.prefix { $0 != " " }.description }
        let expected = ["handlers", "onRestoreFinished", "storeRestoreFinished", "RestoreFinished"]
        #expect(names == Array(expected.dropFirst(hasHandlers ? 0 : 1)))
        withExtendedLifetime(observer) {}
    }

    /// How a request ends that posts a notification.
    enum Request: CaseIterable, Sendable {
        case fetch, failedFetch, purchase, cancelledPurchase, restore, failedRestore
    }

    @Test(
        "N04 notifications are posted whether or not the request had handlers, after these, once",
        arguments: Request.allCases, [true, false])
    func posted(request: Request, hasHandlers: Bool) async {
        let center = NotificationCenter()
        shop.manager.notificationCenter = center
        let names: [Request: Notification.Name] = [
            .fetch: .storeProductsFetched, .failedFetch: .storeProductFetchFailed,
            .purchase: .storeTransactionSucceeded, .cancelledPurchase: .storeTransactionFailed,
            .restore: .storeRestoreFinished, .failedRestore: .storeRestoreFailed,
        ]
        _ = center.addObserver(forName: names[request], object: shop.manager, queue: nil) { [recorder] _ in
            recorder.record("posted")
        }
        // A success without a receiver would wait; the default receiver is no handler of the request's.
        shop.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        shop.backend.answer = { $0.finishedAtOnce }
        switch request {
        case .fetch, .failedFetch:
            let token = shop.manager.fetchProducts(
                withIdentifiers: ["coins"],
                handlers: hasHandlers ? recorder.fetchHandlers("handler") : ProductFetchHandlers())
            let isFetched = request == .fetch
            for _ in 1...2 {
                await shop.report(
                    isFetched
                        ? .productsFetched([.sample()], for: token) : .productFetchFailed(.network(), for: token))
            }
        case .purchase, .cancelledPurchase:
            let token = shop.manager.purchase(
                .sample(), handlers: hasHandlers ? recorder.purchaseHandlers("handler") : PurchaseHandlers())
            for _ in 1...2 {
                await shop.report(
                    request == .purchase
                        ? .transactionsUpdated([StoreTransactionUpdate(.sample(), token: token)])
                        : .purchaseEnded(.cancelled(), for: token))
            }
        case .restore, .failedRestore:
            let token = shop.manager.restorePurchases(
                handlers: hasHandlers ? recorder.restoreHandlers("handler") : RestoreHandlers())
            for _ in 1...2 {
                await shop.report(
                    request == .restore ? .restoreFinished(for: token) : .restoreFailed(.network(), for: token))
            }
        }
        let lines = recorder.lines.map { $0.prefix { $0 != " " }.description }
        #expect(lines.filter { $0 == "handler" || $0 == "posted" } == (hasHandlers ? ["handler"] : []) + ["posted"])
    }

    @Test("N02 an observer may implement any subset, even none")
    func subsets() async {
        let one = OneMethodObserver()
        let none = NoMethodObserver()
        for observer in [one, none] as [any StoreObserver] { shop.manager.addObserver(observer) }
        for notification in NotificationCase.all { await notification.happen(shop) }
        #expect(one.fetches == 1)
    }

    @Test("N02 observers are held weakly, told once however often they are added, and no more once removed")
    func weak() async {
        weak var released: FullObserver?
        do {
            let observer = FullObserver(recorder: recorder)
            released = observer
            shop.manager.addObserver(observer)
            shop.manager.addObserver(observer)
            await shop.report(.receiptRefreshed(nil, for: RequestToken(kind: .receipt, number: 1)))
            #expect(observed == ["storeReceiptRefreshed"])
            shop.manager.removeObserver(observer)
            await shop.report(.receiptRefreshed(nil, for: RequestToken(kind: .receipt, number: 2)))
            #expect(observed.count == 1)
            shop.manager.addObserver(observer)
        }
        #expect(released == nil)
        await shop.report(.receiptRefreshed(nil, for: RequestToken(kind: .receipt, number: 3)))
        #expect(observed.count == 1)
    }

    @Test("N02 an observer may add and remove observers from inside a call; the others are told all the same")
    func reentrancy() async {
        let late = FullObserver(recorder: recorder)
        let last = FullObserver(recorder: recorder)
        let meddler = Meddler { [manager = shop.manager] in
            manager.addObserver(late)
            manager.removeObserver($0)
        }
        for observer in [meddler, last] as [any StoreObserver] { shop.manager.addObserver(observer) }
        await shop.report(.receiptRefreshed(nil, for: RequestToken(kind: .receipt, number: 1)))
        #expect(observed.count == 1)
        await shop.report(.receiptRefreshed(nil, for: RequestToken(kind: .receipt, number: 2)))
        #expect(observed.count == 3)
        #expect(meddler.calls == 1)
    }
}

/// Implements one method.
@MainActor
private final class OneMethodObserver: StoreObserver {
    private(set) var fetches = 0
    func storeProductsFetched(_ response: ProductFetchResponse, token: RequestToken) { fetches += 1 }
}

/// Implements nothing.
private final class NoMethodObserver: StoreObserver {}

/// Does something when the receipt was renewed.
@MainActor
private final class Meddler: StoreObserver {
    private(set) var calls = 0
    private let meddle: (Meddler) -> Void
    init(meddle: @escaping (Meddler) -> Void) { self.meddle = meddle }
    func storeReceiptRefreshed() {
        calls += 1
        meddle(self)
    }
}
