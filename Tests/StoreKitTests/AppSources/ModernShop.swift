// A shop as an app for iOS has one over StoreKit 2: this file uses nothing but Foundation and StoreKit.
import Foundation
import StoreKit

typealias RenewalState = StoreKit.Product.SubscriptionInfo.RenewalState

enum ShopError: Error {
    case failedVerification
}

@MainActor
final class ModernShop {
    private(set) var cars: [Product] = []
    private(set) var subscriptions: [Product] = []
    private(set) var others: [Product] = []
    private(set) var purchased: Set<String> = []
    private(set) var groupStatus: RenewalState?
    private var updateListenerTask: Task<Void, any Error>?

    init() { updateListenerTask = listenForTransactions() }

    deinit { updateListenerTask?.cancel() }

    func listenForTransactions() -> Task<Void, any Error> {
        Task.detached {
            for await result in Transaction.updates {
                do {
                    let transaction = try self.checkVerified(result)
                    await self.updateCustomerProductStatus()
                    await transaction.finish()
                } catch {
                    print("A transaction failed verification.")
                }
            }
        }
    }

    func requestProducts(_ identifiers: [String: String]) async throws {
        for product in try await Product.products(for: identifiers.keys) {
            switch product.type {
            case .nonConsumable: cars.append(product)
            case .autoRenewable: subscriptions.append(product)
            case .consumable, .nonRenewable: others.append(product)
            default: break
            }
        }
        cars.sort { $0.price < $1.price }
    }

    func purchase(_ product: Product, for account: UUID? = nil) async throws -> Transaction? {
        let options: Set<Product.PurchaseOption> = account.map { [.appAccountToken($0)] } ?? []
        let result = try await product.purchase(options: options)
        switch result {
        case .success(let verification):
            let transaction = try checkVerified(verification)
            await updateCustomerProductStatus()
            await transaction.finish()
            return transaction
        case .userCancelled, .pending:
            return nil
        @unknown default:
            return nil
        }
    }

    func isPurchased(_ product: Product) async throws -> Bool {
        guard let result = await product.latestTransaction else { return false }
        let transaction = try checkVerified(result)
        return transaction.revocationDate == nil && !transaction.isUpgraded
    }

    func updateCustomerProductStatus() async {
        var found: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard case .verified(let transaction) = result else { continue }
            if let expirationDate = transaction.expirationDate, expirationDate < transaction.purchaseDate { continue }
            found.insert(transaction.productID)
        }
        purchased = found
        groupStatus = try? await subscriptions.first?.subscription?.status.first?.state
    }

    nonisolated func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified: throw ShopError.failedVerification
        case .verified(let safe): return safe
        }
    }
}

/// What a view model asks of a product, which StoreKit's own fulfils as it is.
protocol PurchasableProduct {
    var id: String { get }
    var displayPrice: String { get }
    func purchase(options: Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult
}

extension Product: PurchasableProduct {}

actor PurchaseLog {
    private(set) var lines: [String] = []

    func buy(_ product: Product) async {
        do {
            guard case .success(let result) = try await product.purchase() else { return }
            lines.append(result.jwsRepresentation)
        } catch StoreKitError.userCancelled {
            lines.append("cancelled")
        } catch let error as StoreKitError {
            lines.append("store: \(error.localizedDescription)")
        } catch Product.PurchaseError.productUnavailable {
            lines.append("unavailable")
        } catch {
            lines.append("other")
        }
    }
}
