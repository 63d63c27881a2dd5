public import Foundation
public import StoreKit
public import StoreManagerCore

/// The App Store, by StoreKit 2.
///
/// Make a manager over it, `StoreManager(backend: .storeKit2)`, or use `StoreManager.shared`, which does. StoreKit gives a
/// purchase's answer to whoever asked, so that tokens are exact; a purchase that waits for approval is paired by the manager.
/// Signatures are checked by StoreKit, and what it found is on each transaction, with the signed form itself.
@MainActor
public final class StoreKit2Backend: StoreBackend {
    /// The call that buys: it shows StoreKit's sheet and returns what StoreKit answers.
    ///
    /// Whoever writes one passes the options on as they are, and may add to them, `onStorefrontChange` for instance.
    public typealias PurchaseCall =
        @MainActor @Sendable (Product, Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult

    /// The call that buys. Set it where StoreKit's sheet has to appear in a certain scene, controller or window.
    public var purchaseCall: PurchaseCall

    /// The storefront that is sold from; nil until StoreKit has said which, soon after the backend began to observe.
    public internal(set) var storefront: StoreStorefront?

    /// StoreKit's products, as they came last.
    private var products: [StoreProduct.ID: Product] = [:]
    /// StoreKit's transactions, until they are finished.
    private var transactions: [StoreTransaction.ID: Transaction] = [:]
    private var observation: StoreKitObservation?
    /// What the newest purchase waits for before StoreKit hears of it.
    var lastPreparation: Task<PreparedPurchase, any Error>?
    /// How many purchases were begun in the store.
    var intentCount = 0
    /// How many commands StoreKit is at work on, and how many of its sequences are just being opened.
    package internal(set) var workCount = 0

    /// Makes a backend.
    ///
    /// - Parameter purchaseCall: the call that buys. By default StoreKit chooses where its sheet appears; on visionOS, where it
    ///   does not, that is the scene in front.
    public nonisolated init(purchaseCall: @escaping PurchaseCall = StoreKit2Backend.buy) {
        self.purchaseCall = purchaseCall
    }

    // MARK: What StoreKit can do

    /// What StoreKit 2 can do: a user name has to be a UUID, and win-back offers need iOS 18, macOS 15, tvOS 18, watchOS 11 or
    /// visionOS 2.
    public var capabilities: StoreBackendCapabilities {
        var offers: Set<StoreBackendCapabilities.OfferKind> = [
            .promotional, .promotionalJWS, .introductoryEligibility,
        ]
        if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) { offers.insert(.winBack) }
        return StoreBackendCapabilities(tokenCarriage: .unlessDeferred, requiresUUIDUsername: true, offers: offers)
    }

    /// Whether this device, and the person at it, may pay.
    public var canMakePayments: Bool { AppStore.canMakePayments }

    // MARK: Observing

    /// Begins to report what StoreKit says: transactions, beginning with those that are not finished, changes of the
    /// storefront, and purchases begun in the store.
    public func startObserving(_ observer: any StoreBackendObserver) {
        let observation = StoreKitObservation(of: self, by: observer)
        self.observation = observation
        begin(observation)
    }

    /// Ends all reports to the observer, and with them all reading of StoreKit's sequences; nothing where another has begun to
    /// observe since.
    public func stopObserving(_ observer: any StoreBackendObserver) {
        if observation?.isFor(observer) == true { observation = nil }
    }

    // MARK: Commands

    /// Asks for products.
    public func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken) {
        run { backend in
            do {
                let products = try await backend.fetch(identifiers)
                return [.productsFetched(products.map { StoreProduct($0) }, for: token)]
            } catch {
                return [.productFetchFailed(StoreError(storeKit2: error), for: token)]
            }
        }
    }

    /// Asks StoreKit to sell, by ``purchaseCall``, in the order of the payments.
    public func add(_ payment: StorePayment) {
        let preparation = prepare(payment)
        run { [await $0.purchase(payment, preparedBy: preparation)] }
    }

    /// Synchronises with the App Store, for which the person may have to sign in, and then lists the current entitlements.
    /// StoreKit 2 knows no user name here: all that belongs to the account is listed.
    public func restorePurchases(applicationUsername: String?, for token: RequestToken) {
        run { backend in
            do {
                try await AppStore.sync()
            } catch {
                return [.restoreFailed(StoreError(storeKit2: error), for: token)]
            }
            let restored = await backend.currentEntitlements().map { backend.remember($0, as: .restored) }
            let updates = restored.map { StoreTransactionUpdate($0, token: token) }
            return (updates.isEmpty ? [] : [.transactionsUpdated(updates)]) + [.restoreFinished(for: token)]
        }
    }

    /// Finishes a transaction.
    public func finish(_ transaction: StoreTransaction) {
        run { backend in
            await backend.unfinished(transaction.id)?.finish()
            backend.transactions[transaction.id] = nil
            return [.transactionFinished(transaction.id)]
        }
    }

    /// Lists the current entitlements.
    public func readCurrentEntitlements(for token: RequestToken) {
        run { backend in
            let entitlements = await backend.currentEntitlements().map { StoreTransaction($0) }
            return [.entitlementsRead(.success(entitlements), for: token)]
        }
    }

    /// Nil: with StoreKit 2 each transaction is signed by itself, see `StoreTransaction.jwsRepresentation`.
    public func receiptData() -> Data? { nil }

    /// Answers that there is no receipt to be refreshed.
    public func refreshReceipt(for token: RequestToken) {
        run { _ in [.receiptRefreshed(.unsupported("app receipts"), for: token)] }
    }

    /// Does nothing: StoreKit 2 knows no downloads, and no transaction of its has any.
    public func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {}

    // MARK: How it is done

    /// Carries out a command, and reports its answers to whoever observes since before it was given.
    func run(_ command: @escaping @MainActor (StoreKit2Backend) async -> [StoreBackendEvent]) {
        let observation = observation
        workCount += 1
        Task {
            let answers = await command(self)
            workCount -= 1
            for answer in answers where observation === self.observation { observation?.report(answer) }
        }
    }

    /// Reports something to whoever observes.
    func report(_ event: StoreBackendEvent) { observation?.report(event) }

    /// Asks StoreKit for products, and remembers them for purchases.
    func fetch(_ identifiers: [String]) async throws -> [Product] {
        let found = try await Product.products(for: identifiers)
        for product in found { remember(product) }
        return found
    }

    /// Remembers a product for purchases.
    func remember(_ product: Product) { products[product.id] = product }

    /// StoreKit's product, from memory or from the store.
    func product(_ identifier: StoreProduct.ID) async throws -> Product {
        if let product = products[identifier] { return product }
        guard let product = try await fetch([identifier]).first else {
            throw StoreError.unknownProduct(identifier: identifier)
        }
        return product
    }

    /// Forgets all products, as their prices have changed.
    func forgetProducts() { products = [:] }

    /// Keeps a transaction, so that it can be finished, and gives it in the words of the package.
    func remember(
        _ result: VerificationResult<Transaction>, as state: StoreTransactionState = .purchased
    ) -> StoreTransaction {
        let transaction = StoreTransaction(result, state: state)
        transactions[transaction.id] = result.unsafePayloadValue
        return transaction
    }

    private func unfinished(_ id: StoreTransaction.ID) async -> Transaction? {
        if let transaction = transactions[id] { return transaction }
        return await Transaction.unfinished.collected().map(\.unsafePayloadValue).first { String($0.id) == id }
    }

    private func currentEntitlements() async -> [VerificationResult<Transaction>] {
        await Transaction.currentEntitlements.collected()
    }
}
