import Foundation
import StoreManagerCore
import StoreSimulator

// Requests of both StoreKits that are answered once.
extension StoreLink {
    /// Looks products up.
    func fetchProducts(
        withIdentifiers identifiers: [String],
        answer: @escaping @MainActor (Result<[StoreProduct], StoreError>) -> Void
    ) {
        open(.fetch) { store, token in
            store.fetchProducts(withIdentifiers: identifiers, for: token)
        } answer: { [unowned self] event, token in
            close(token)
            switch event {
            case .productsFetched(let products, _): answer(.success(products))
            case .productFetchFailed(let error, _): answer(.failure(error))
            default: break
            }
        }
    }

    /// Renews the receipt.
    func refreshReceipt(answer: @escaping @MainActor (StoreError?) -> Void) {
        open(.receipt) { store, token in
            store.refreshReceipt(for: token)
        } answer: { [unowned self] event, token in
            close(token)
            guard case .receiptRefreshed(let error, _) = event else { return }
            if error == nil { writeReceipt() }
            answer(error)
        }
    }

    /// Looks products up, for StoreKit 2. A task that was cancelled finds none.
    func products(withIdentifiers identifiers: [String]) async throws -> [Product] {
        if Task.isCancelled { return [] }
        let result = await awaitAnswer { answer in
            fetchProducts(withIdentifiers: identifiers, answer: answer)
        }
        switch result {
        case .success(let products): return products.map { Product($0) }
        case .failure(let error): throw error.storeKit2Error
        }
    }

    /// Reads what the user is entitled to.
    func currentEntitlements() async -> [StoreTransaction] {
        await awaitAnswer { answer in
            open(.entitlements) { store, token in
                store.readCurrentEntitlements(for: token)
            } answer: { [unowned self] event, token in
                close(token)
                guard case .entitlementsRead(let result, _) = event else { return }
                answer((try? result.get()) ?? [])
            }
        }
    }

    /// Asks the store for everything that the account owns.
    func sync() async throws {
        let error: StoreError? = await awaitAnswer { answer in
            open(.restore) { store, token in
                store.restorePurchases(applicationUsername: nil, for: token)
            } answer: { [unowned self] event, token in
                switch event {
                case .restoreFinished:
                    close(token)
                    answer(nil)
                case .restoreFailed(let error, _):
                    close(token)
                    answer(error)
                default:
                    // What is owned is read from the sequences.
                    break
                }
            }
        }
        if let error { throw error.storeKit2Error }
    }

    /// The download of the app, from memory where it was read before.
    func appTransaction(fetching isForced: Bool) async throws -> VerificationResult<AppTransaction> {
        if let appTransaction, !isForced { return appTransaction }
        let error = await awaitAnswer { answer in
            refreshReceipt(answer: answer)
        }
        if let error { throw error.storeKit2Error }
        guard let store else { throw storeError.storeKit2Error }
        let result = signedAppTransaction(in: store)
        appTransaction = result
        return result
    }

    /// Reads or changes how products are promoted.
    @discardableResult
    func changePromotions<Result: Sendable>(
        _ body: @Sendable (inout [Product.PromotionInfo]) -> Result
    ) throws -> Result {
        guard store != nil else { throw storeError.storeKit2Error }
        return body(&promotions)
    }
}
