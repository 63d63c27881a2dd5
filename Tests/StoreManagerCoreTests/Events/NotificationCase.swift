import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// Something that happens, and who hears of it by what.
struct NotificationCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The notifications: name and contents.
    let notifications: [String]
    /// The observer's methods, but for the one that hears every event.
    let observed: [String]
    /// The queue handlers.
    let queue: [String]
    let happen: @MainActor @Sendable (ManagerFixture) async -> Void

    init(
        _ name: String, notifications: [String], observed: [String] = [], queue: [String] = [],
        happen: @escaping @MainActor @Sendable (ManagerFixture) async -> Void
    ) {
        testDescription = name
        self.notifications = notifications
        self.observed = observed
        self.queue = queue
        self.happen = happen
    }
}

extension NotificationCase {
    static let all = fetches + purchases + restores + downloads + others

    private static let fetches = [
        NotificationCase(
            "a fetch brings products",
            notifications: ["ProductsFetched fetch-1 products [coins] invalid [hat]"],
            observed: ["storeProductsFetched fetch-1 products [coins] invalid [hat]"]
        ) { shop in
            shop.manager.fetchProducts(withIdentifiers: ["coins", "hat"])
            await shop.answerFetch(0, with: "coins")
        },
        NotificationCase(
            "a fetch fails",
            notifications: ["ProductFetchFailed fetch-1 error network"],
            observed: ["storeProductFetchFailed fetch-1 network"]
        ) { shop in
            shop.manager.fetchProducts(withIdentifiers: ["coins"])
            await shop.failFetch(0)
        },
    ]

    private static let purchases = [
        NotificationCase(
            "something is bought",
            notifications: [
                "TransactionsUpdated transactions [1]",
                "TransactionSucceeded purchase-1 product coins transaction 1 transactions [1]",
            ],
            observed: ["storeTransactionSucceeded purchase-1 1"], queue: ["onTransactionsUpdated [1]"]
        ) { shop in
            await shop.answer(shop.buy(), with: .sample("1"))
            await shop.report(.transactionFinished("1"))
        },
        NotificationCase(
            "something was owned already",
            notifications: [
                "TransactionsUpdated transactions [1]",
                "TransactionSucceeded purchase-1 product coins transaction 1 transactions [1]",
            ],
            observed: ["storeTransactionSucceeded purchase-1 1"], queue: ["onTransactionsUpdated [1]"]
        ) { shop in
            await shop.answer(shop.buy(), with: .sample("1", state: .restored))
            await shop.report(.transactionFinished("1"))
        },
        NotificationCase(
            "a purchase fails",
            notifications: ["TransactionFailed purchase-1 product coins error productUnavailable"],
            observed: ["storeTransactionFailed purchase-1 coins productUnavailable"]
        ) { shop in
            await shop.report(.purchaseEnded(.productUnavailable(), for: shop.buy()))
        },
        NotificationCase(
            "a purchase is cancelled",
            notifications: ["TransactionFailed purchase-1 product coins error cancelled"],
            observed: ["storeTransactionFailed purchase-1 coins cancelled"]
        ) { shop in
            await shop.report(.purchaseEnded(.cancelled(), for: shop.buy()))
        },
        NotificationCase(
            "a purchase waits for approval",
            notifications: ["TransactionDeferred purchase-1 product coins"],
            observed: ["storeTransactionDeferred purchase-1 coins"]
        ) { shop in
            await shop.report(.purchaseDeferred(for: shop.buy()))
        },
        NotificationCase(
            "a purchase is taken back",
            notifications: [
                "TransactionsUpdated transactions [1]",
                "TransactionRevoked update-1 product coins transaction 1 transactions [1]",
            ],
            observed: ["storeTransactionRevoked 1"], queue: ["onTransactionsUpdated [1]"]
        ) { shop in
            shop.manager.defaultHandlers = PurchaseHandlers()
            await shop.answer(nil, with: .sample("1").with(\.revocationDate, .start))
            await shop.report(.transactionFinished("1"))
        },
        NotificationCase(
            "a plan gives way to a better one",
            notifications: [
                "TransactionsUpdated transactions [1]",
                "TransactionUpgraded update-1 product pass transaction 1 transactions [1]",
            ],
            observed: ["storeTransactionUpgraded 1"], queue: ["onTransactionsUpdated [1]"]
        ) { shop in
            await shop.answer(nil, with: .sample("1", of: "pass", .autoRenewable).with(\.isUpgraded, true))
            await shop.report(.transactionFinished("1"))
        },
    ]

    private static let restores = [
        NotificationCase(
            "a restore is complete",
            notifications: [
                "TransactionsUpdated transactions [1]",
                "RestoreFinished restore-1 transactions [1] restored [1] invalid [] undecided []",
            ],
            observed: ["storeRestoreFinished restore-1 restored [1] invalid [] undecided []"],
            queue: ["onTransactionsUpdated [1]", "onRestoreFinished restored [1] invalid [] undecided []"]
        ) { shop in
            let token = shop.manager.restorePurchases(handlers: RestoreHandlers())
            await shop.list([.sample("1", of: "hat", .nonConsumable, state: .restored)], for: token)
            await shop.report(.restoreFinished(for: token))
        },
        NotificationCase(
            "a restore fails",
            notifications: ["RestoreFailed restore-1 error cancelled"],
            observed: ["storeRestoreFailed restore-1 cancelled"], queue: ["onRestoreFailed cancelled"]
        ) { shop in
            let token = shop.manager.restorePurchases(handlers: RestoreHandlers())
            await shop.report(.restoreFailed(.cancelled(), for: token))
        },
    ]

    private static let downloads =
        [
            NotificationCase(
                "the app's own content arrives",
                notifications: [
                    "TransactionsUpdated transactions [1]",
                    "DownloadUpdated product coins transaction 1 transactions [1] progress 0.5",
                    "DownloadFinished product coins transaction 1 transactions [1] progress 1.0",
                    "TransactionSucceeded purchase-1 product coins transaction 1 transactions [1]",
                ],
                observed: [
                    "storeDownloadUpdated 1 - 0.5", "storeDownloadFinished 1 - 1.0",
                    "storeTransactionSucceeded purchase-1 1",
                ],
                queue: ["onTransactionsUpdated [1]"]
            ) { shop in
                shop.manager.contentDownloader = TestDownloader()
                await shop.answer(shop.buy(), with: .sample("1"))
                await shop.report(.transactionFinished("1"))
            },
            ownContent(fails: SampleError(), "Failed", "downloadFailed"),
            ownContent(fails: CancellationError(), "Cancelled", "downloadCancelled"),
            hosted(.waiting, nil), hosted(.active, "Updated"), hosted(.paused, "Paused"), hosted(.finished, "Finished"),
            hosted(.failed, "Failed", "downloadFailed"), hosted(.cancelled, "Cancelled", "downloadCancelled"),
        ]

    private static func ownContent(
        fails error: any Error & Sendable, _ name: String, _ errorName: String
    ) -> NotificationCase {
        // A cancellation is no failure of the download's own, so its method tells no error.
        let method = name == "Failed" ? "storeDownloadFailed 1 - 0.0 downloadFailed" : "storeDownloadCancelled 1 - 0.0"
        return NotificationCase(
            "the app's own content: \(name)",
            notifications: [
                "TransactionsUpdated transactions [1]",
                "DownloadUpdated product coins transaction 1 transactions [1] progress 0.5",
                "Download\(name) product coins transaction 1 transactions [1] progress 0.0 error \(errorName)",
                "TransactionFailed purchase-1 product coins transaction 1 transactions [1] error \(errorName)",
            ],
            observed: [
                "storeDownloadUpdated 1 - 0.5", method, "storeTransactionFailed purchase-1 1 \(errorName)",
            ],
            queue: ["onTransactionsUpdated [1]"]
        ) { shop in
            shop.manager.contentDownloader = TestDownloader(failure: { _ in error })
            await shop.answer(shop.buy(), with: .sample("1"))
        }
    }

    private static func hosted(
        _ state: StoreDownload.State, _ name: String?, _ errorName: String? = nil
    ) -> NotificationCase {
        let error = errorName.map { " error \($0)" } ?? ""
        let step = name.map { "Download\($0) download x progress 0.25\(error)" }
        let method = name.map { "storeDownload\($0) 1 x 0.25" + ($0 == "Failed" ? " downloadFailed" : "") }
        return NotificationCase(
            "a download that the store hosts is \(state)",
            notifications: ["DownloadsUpdated downloads [x \(state)]"] + [step].compactMap(\.self),
            observed: [method].compactMap(\.self), queue: ["onDownloadsUpdated [x \(state)]"]
        ) { shop in
            let download = StoreDownload(id: "x", transactionID: "1", state: state, progress: 0.25)
            await shop.report(.downloadsUpdated([download]))
        }
    }

    private static let others = [
        NotificationCase(
            "the receipt is renewed", notifications: ["ReceiptRefreshed receipt-9"],
            observed: ["storeReceiptRefreshed"]
        ) { shop in
            await shop.report(.receiptRefreshed(nil, for: RequestToken(kind: .receipt, number: 9)))
        },
        NotificationCase(
            "the receipt is not renewed", notifications: ["ReceiptRefreshFailed receipt-9 error network"],
            observed: ["storeReceiptRefreshFailed network"]
        ) { shop in
            await shop.report(.receiptRefreshed(.network(), for: RequestToken(kind: .receipt, number: 9)))
        },
        NotificationCase(
            "transactions leave the queue", notifications: ["TransactionsRemoved ids [1, 2]"],
            queue: ["onTransactionsRemoved [1, 2]"]
        ) { shop in
            await shop.report(.transactionsRemoved(["1", "2"]))
        },
        NotificationCase("the storefront changes", notifications: ["StorefrontChanged"]) { shop in
            await shop.report(.storefrontChanged(nil))
        },
    ]
}

extension ManagerFixture {
    /// Buys a coin, and hears of nothing but success.
    fileprivate func buy() -> RequestToken { manager.purchase(.sample(), onSuccess: { _ in }) }
}
