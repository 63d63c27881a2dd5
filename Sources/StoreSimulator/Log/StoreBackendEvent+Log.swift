import StoreManagerCore

extension StoreBackendEvent {
    /// What the log says of a message to an app.
    var logFields: [StoreLogEntry.Field] {
        func fields(
            _ message: String, _ token: RequestToken? = nil, _ others: [StoreLogEntry.Field] = []
        ) -> [StoreLogEntry.Field] {
            [StoreLogEntry.Field("message", message)] + others
                + (token.map { [StoreLogEntry.Field("token", $0.description)] } ?? [])
        }
        return switch self {
        case .productsFetched(let products, let token):
            fields("products", token, [.init("found", String(products.count))])
        case .productFetchFailed(let error, let token): fields("fetch-failed", token, [.error(error)])
        case .transactionsUpdated(let updates):
            fields("transactions", updates.first?.token, [.init("list", updates.map(\.logText).joined(separator: ","))])
        case .transactionsRemoved(let ids): fields("removed", nil, [.init("list", ids.joined(separator: ","))])
        case .transactionFinished(let id): fields("finished", nil, [.init("transaction", id)])
        case .purchaseDeferred(let token): fields("deferred", token)
        case .purchaseEnded(let error, let token): fields("ended", token, [.error(error)])
        case .restoreFinished(let token): fields("restored", token)
        case .restoreFailed(let error, let token): fields("restore-failed", token, [.error(error)])
        case .entitlementsRead(.success(let transactions), let token):
            fields("entitlements", token, [.init("list", transactions.map(\.id).joined(separator: ","))])
        case .entitlementsRead(.failure(let error), let token): fields("entitlements-failed", token, [.error(error)])
        case .receiptRefreshed(nil, let token): fields("receipt", token)
        case .receiptRefreshed(let error?, let token): fields("receipt-failed", token, [.error(error)])
        case .storefrontChanged(let storefront):
            fields("storefront", nil, [.init("country", storefront?.countryCode ?? "none")])
        case .purchaseIntent(let intent):
            fields("intent", nil, [.product(intent.product.id), .init("intent", intent.id)])
        case .downloadsUpdated(let downloads):
            fields("downloads", nil, [.init("list", downloads.map(\.logText).joined(separator: ","))])
        }
    }
}

extension StoreLogEntry.Field {
    /// An error by its number in `StoreError.errorDomain`, which never changes; its text might.
    fileprivate static func error(_ error: StoreError?) -> Self {
        Self("error", error.map { String($0.errorCode) } ?? "none")
    }
}

extension StoreTransactionUpdate {
    /// The transaction and its state, such as `3:purchased`.
    fileprivate var logText: String {
        "\(transaction.id):\(transaction.revocationDate == nil ? transaction.state.rawValue : "revoked")"
    }
}

extension StoreDownload {
    /// The content, its state and its progress, such as `3/level-2:active:50%`.
    fileprivate var logText: String { "\(transactionID)/\(id):\(state.rawValue):\(Int(progress * 100))%" }
}
