public import Foundation
@_spi(StoreKitDouble) public import StoreKit
import StoreManagerCore
import StoreSimulator

extension SKTestSession {
    /// Buys a product outside the app; the transaction arrives unasked.
    ///
    /// - Throws: ``SKTestError`` where it cannot be bought so.
    @discardableResult
    public func buyProduct(
        identifier: String, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let options = try OutsidePurchaseOptions(options)
        return try await buy(identifier, options)
    }

    /// Buys one piece of a product outside the app. Deprecated.
    ///
    /// - Throws: ``SKTestError`` where it cannot be bought so.
    public func buyProduct(productIdentifier: String) throws {
        try act { try $0.buyProduct(identifier: productIdentifier) }
    }

    @MainActor
    private func buy(_ identifier: String, _ options: OutsidePurchaseOptions) throws -> Transaction {
        do {
            return StoreKitDouble.transaction(try store.buyProduct(identifier: identifier, options: options))
        } catch {
            throw SKTestError(error)
        }
    }
}

extension Product.PurchaseOption {
    /// A promotional offer, without any signature.
    public static func promotionalOffer(id: String) -> Product.PurchaseOption { .init(.promotionalOfferID(id)) }

    /// An offer code, by the reference name of its offer.
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        .init(.codeOffer(referenceName: referenceName))
    }

    /// A purchase in the past.
    public static func purchaseDate(
        _ purchaseDate: Date, renewalBehavior: RenewalBehavior = .renewUntilNow
    ) -> Product.PurchaseOption {
        .init(.purchaseDate(purchaseDate, renewsUntilNow: renewalBehavior == .renewUntilNow))
    }

    /// How a subscription that was bought in the past goes on.
    public enum RenewalBehavior: Equatable, Hashable, Sendable {
        /// It renewed until now.
        case renewUntilNow
        /// It was cancelled at once, and lapsed.
        case cancelImmediately
    }
}

extension OutsidePurchaseOptions {
    /// StoreKit's options in the simulator's words.
    fileprivate init(_ options: Set<Product.PurchaseOption>) throws {
        self.init()
        for option in options {
            switch option.content {
            case .quantity(let quantity): self.quantity = quantity
            case .appAccountToken(let token): appAccountToken = token
            case .promotionalOfferID(let id): offer = .promotional(id: id)
            case .winBackOffer(let id): offer = .winBack(id: id)
            case .codeOffer(let name): offer = .code(referenceName: name)
            case .purchaseDate(let date, let renews):
                purchaseDate = date
                renewalBehavior = renews ? .renewUntilNow : .cancelImmediately
            case .custom, .onStorefrontChange, .simulatesAskToBuyInSandbox, .promotionalOffer:
                throw SKTestError(.invalidAction, "A purchase outside the app cannot have the option \(option).")
            }
        }
    }
}
