import Foundation
import StoreManagerCore
import StoreSimulator

extension Shop: StoreObserver {
    /// Tells everything that the app hears, as it hears it.
    func storeManager(_ manager: StoreManager, didPublish event: StoreEvent) {
        if case .transactionsUpdated(let transactions) = event {
            for transaction in transactions { productsOfTransactions[transaction.id] = transaction.productIdentifier }
        }
        if case .downloadsUpdated(let downloads) = event {
            for download in downloads { output.say("  \(download.bar)", isLast: download.state != .active) }
        }
        if let sentence = event.sentence { output.say("  \(sentence)") }
        for (name, fields) in event.objects { output.emit(name, at: store.clock.now, completed(fields, of: event)) }
    }

    /// Adds what the event itself does not say: the product of a transaction, and the transaction that waits for approval.
    private func completed(_ fields: [ShopField: Any?], of event: StoreEvent) -> [ShopField: Any?] {
        var fields = fields
        if case .purchaseDeferred(let product, _) = event {
            let waiting = store.allTransactions.last {
                $0.pendingAskToBuyConfirmation && $0.productIdentifier == product
            }
            fields[.transaction] = waiting?.id
        } else if fields[.product] == nil, let id = fields[.transaction] as? StoreTransaction.ID {
            fields[.product] = productsOfTransactions[id]
        }
        return fields
    }
}

extension StoreEvent {
    /// The event in a sentence; nil for what another event tells better.
    fileprivate var sentence: String? {
        switch self {
        case .productFetchFailed(let error, let token): "\(token): \(error.localizedDescription)"
        case .purchaseDeferred(let product, let token): "\(token): \(product) waits for approval"
        case .purchased(let transaction, let token): "\(token): bought \(transaction.words)"
        case .restored(let transaction, let token): "\(token): \(transaction.productIdentifier) is owned already"
        case .scheduled(_, let token): "\(token): the plan changes at the next renewal"
        case .purchaseFailed(_, let error, _, let token): "\(token): \(error.localizedDescription)"
        case .purchaseCancelled(_, _, let token): "\(token): cancelled"
        case .revoked(let transaction, let token): "\(token): \(transaction.words) was taken back"
        case .upgraded(let transaction, let token): "\(token): \(transaction.words) gave way to a better plan"
        case .transactionWaiting(let transaction, _): "\(transaction.words) waits, with nobody to receive it"
        case .restoreFinished(let result, let token):
            "\(token): "
                + (result.restored.isEmpty
                    ? "nothing to restore"
                    : "restored \(result.restored.map(\.productIdentifier).joined(separator: ", "))")
        case .restoreFailed(let error, let token): "\(token): \(error.localizedDescription)"
        case .storefrontChanged(let storefront): "The store is \(storefront?.countryCode ?? "nowhere") now."
        case .purchaseIntentReceived(let intent): "\(intent.product.id) was wanted in the store"
        default: nil
        }
    }

    /// The event as objects for programs: most are one; what tells of several transactions or downloads is one for each.
    fileprivate var objects: [(ShopEvent, [ShopField: Any?])] {
        switch self {
        case .productsFetched(let response, let token):
            [
                (
                    .productsFetched,
                    [.token: "\(token)", .count: response.products.count, .invalid: response.invalidIdentifiers]
                )
            ]
        case .productFetchFailed(let error, let token): [(.productFetchFailed, error.fields(token))]
        case .purchaseDeferred(let product, let token):
            [(.purchaseDeferred, [.product: product, .token: "\(token)"])]
        case .purchased(let transaction, let token): [(.purchased, transaction.fields(token))]
        case .restored(let transaction, let token): [(.restored, transaction.fields(token))]
        case .scheduled(let transaction, let token): [(.scheduled, transaction.fields(token))]
        case .purchaseFailed(let transaction, let error, let product, let token):
            [(.purchaseFailed, transaction.fields(token, error, of: product))]
        case .purchaseCancelled(let transaction, let product, let token):
            [(.purchaseCancelled, transaction.fields(token, nil, of: product))]
        case .revoked(let transaction, let token): [(.revoked, transaction.fields(token))]
        case .upgraded(let transaction, let token): [(.upgraded, transaction.fields(token))]
        case .transactionWaiting(let transaction, let token): [(.transactionWaiting, transaction.fields(token))]
        case .transactionFinished(let id): [(.transactionFinished, [.transaction: id])]
        case .transactionsUpdated(let transactions):
            transactions.map { (.transactionUpdated, $0.fields(nil).merging([.state: $0.state.rawValue]) { $1 }) }
        case .transactionsRemoved(let ids): ids.map { (.transactionRemoved, [.transaction: $0]) }
        case .restoreFinished(let result, let token):
            [(.restoreFinished, [.token: "\(token)", .products: result.restored.map(\.productIdentifier)])]
        case .restoreFailed(let error, let token): [(.restoreFailed, error.fields(token))]
        case .downloadsUpdated(let downloads): downloads.map { (.downloadUpdated, $0.fields) }
        case .downloadProgressed(let transaction, let fraction):
            [(.downloadUpdated, transaction.fields(nil).merging([.state: "active", .progress: fraction]) { $1 })]
        case .downloadFinished(let transaction):
            [(.downloadUpdated, transaction.fields(nil).merging([.state: "finished"]) { $1 })]
        case .downloadFailed(let transaction, let error):
            [(.downloadUpdated, Optional(transaction).fields(nil, error))]
        case .storefrontChanged(let storefront): [(.storefrontChanged, [.storefront: storefront?.countryCode])]
        case .purchaseIntentReceived(let intent): [(.purchaseIntent, [.product: intent.product.id])]
        case .receiptRefreshed(let token): [(.receiptRefreshed, [.token: "\(token)"])]
        case .receiptRefreshFailed(let error, let token): [(.receiptRefreshFailed, error.fields(token))]
        case .entitlementsRead(let transactions):
            [(.entitlementsRead, [.products: transactions.map(\.productIdentifier)])]
        case .entitlementsFailed(let error): [(.entitlementsFailed, error.fields(nil))]
        }
    }
}

extension StoreError {
    fileprivate func fields(_ token: RequestToken?) -> [ShopField: Any?] {
        [.token: token?.description, .error: localizedDescription]
    }
}

extension StoreTransaction {
    fileprivate var words: String {
        "\(productIdentifier)\(quantity > 1 ? " ×\(quantity)" : "") (transaction \(id))"
            + (expirationDate.map { " until \($0.ISO8601Format())" } ?? "")
    }

    fileprivate func fields(_ token: RequestToken?) -> [ShopField: Any?] {
        [
            .product: productIdentifier, .transaction: id, .token: token?.description, .quantity: quantity,
            .price: price.map { "\($0)" }, .currency: currencyCode, .expires: expirationDate?.ISO8601Format(),
            .offer: offer.map { $0.id ?? $0.type.rawValue },
        ]
    }
}

extension StoreTransaction? {
    fileprivate func fields(
        _ token: RequestToken?, _ error: StoreError?, of product: String? = nil
    ) -> [ShopField: Any?] {
        var fields = self?.fields(token) ?? [.token: token?.description, .product: product]
        fields[.error] = error?.localizedDescription
        return fields
    }
}

extension StoreDownload {
    fileprivate var fields: [ShopField: Any?] {
        [
            .transaction: transactionID, .content: id, .state: state.rawValue,
            .progress: Decimal(Int((progress * 100).rounded())) / 100,
        ]
    }

    /// The download as a bar.
    fileprivate var bar: String {
        let width = 20
        let filled = Int((min(1, max(0, progress)) * Double(width)).rounded(.down))
        let percent = Int((progress * 100).rounded())
        return
            "\(id) [\(String(repeating: "█", count: filled))\(String(repeating: "·", count: width - filled))] \(percent) % \(state.rawValue)"
    }
}
