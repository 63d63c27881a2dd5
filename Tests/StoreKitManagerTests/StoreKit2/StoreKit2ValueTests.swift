import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

@testable import StoreKitManager

extension StoreKitManagerTests {
    /// StoreKit 2's values in the words of the package: what the store said must come through StoreKit unchanged.
    @MainActor
    struct StoreKit2ValueTests {
        let app: KioskApp

        init() throws { app = try KioskApp() }

        @Test("F01 every field of a product comes through", arguments: KioskApp.all)
        func products(identifier: String) async throws {
            let direct = StoreManager(backend: app.store.device(named: "direct"), clock: app.store.clock)
            let told = try #require(try await direct.products(withIdentifiers: [identifier]).products.first)
            var product = try await app.product(identifier)
            #expect(product.priceLocale?.currency == told.priceLocale?.currency)
            product.priceLocale = told.priceLocale
            #expect(product == told)
        }

        @Test("A02 a kind of product that the package does not know is unknown")
        func unknownKind() {
            #expect(StoreProductType(.init(rawValue: "Hovercraft")) == .unknown)
        }

        @Test("E03 the price's locale names the price's currency, whatever its region's is")
        func currency() async throws {
            app.session.storefront = "DEU"
            app.session.locale = Locale(identifier: "en_US")
            let product = try await app.product(KioskApp.stamps)
            #expect(product.priceLocale?.currency?.identifier == "EUR")
            let style = Decimal.FormatStyle.Currency(code: "EUR", locale: Locale(identifier: "en_US"))
            #expect(style.pricedLocale.currency?.identifier == "EUR")
            #expect(style.pricedLocale.region == "US" && style.pricedLocale.language.languageCode == "en")
        }

        @Test("A01 every field of a transaction comes through, with the signed form and StoreKit's verdict")
        func transactions() async throws {
            app.store.signer = Seal()
            let token = UUID()
            let options = PurchaseOptions(quantity: 2, appAccountToken: token)
            var told: [StoreTransaction] = []
            app.manager.defaultHandlers = PurchaseHandlers(
                onSuccess: { told.append($0) }, onRevoke: { told.append($0) })
            let stamps = try await app.product(KioskApp.stamps)
            app.manager.purchase(stamps, options: options, onSuccess: nil)
            await app.settle()
            try await app.session.buyProduct(
                identifier: KioskApp.silverMonthly, options: [.codeOffer(referenceName: "fair")])
            await app.settle()
            let end = try #require(told.last?.expirationDate)
            app.store.clock.advance(to: end)
            await app.settle()
            try app.session.refundTransaction(identifier: 1)
            await app.settle()
            #expect(told.map(\.id) == ["1", "2", "3", "1"])
            #expect(told.allSatisfy { $0.storeVerification == .verified })
            #expect(told.allSatisfy { $0.jwsRepresentation == "\($0.id).\($0.revocationDate == nil).seal" })
            let kept = app.store.allTransactions.map(\.transaction)
            #expect(told.dropFirst().map(\.unsigned) == [kept[1], kept[2], kept[0]].map(\.unsigned))
            #expect(told[0].quantity == 2 && told[0].appAccountToken == token && told[2].reason == .renewal)
        }

        @Test("T01 what a family member bought says so")
        func familySharing() async throws {
            let other = app.store.device(named: "other", account: "somebody")
            try app.store.joinFamily(of: "somebody")
            try other.buyProduct(identifier: KioskApp.removeAds)
            await app.settle()
            let entitlements = try await app.manager.refreshEntitlements()
            #expect(entitlements.map(\.ownership) == [.familyShared])
        }

        @Test("T02 every field of a renewal info comes through")
        func renewalInfo() async throws {
            try await app.buy(KioskApp.goldMonthly)
            try await app.buy(KioskApp.silverMonthly)
            let entitlements = try await Entitlements.readFromStoreKit(at: app.store.clock.now)
            var info = try #require(entitlements.subscriptions.first?.renewalInfo)
            let told = try #require(app.store.renewalInfos.first)
            #expect(info.autoRenewPreference == KioskApp.silverMonthly)
            info.signedDate = told.signedDate
            #expect(info == told)

            try app.session.disableAutoRenewForTransaction(identifier: 1)
            app.store.clock.advance(by: StoreSubscriptionPeriod(value: 2, unit: .month))
            await app.settle()
            let expired = try await Entitlements.readFromStoreKit(at: app.store.clock.now)
            #expect(expired.subscriptions.first?.renewalInfo?.expirationReason == .autoRenewDisabled)
        }
    }
}

/// Signs so that it can be seen what was signed.
private struct Seal: StoreSigner, Sendable {
    func jws(of transaction: StoreTransaction) -> String? {
        "\(transaction.id).\(transaction.revocationDate == nil).seal"
    }

    func receipt(of transactions: [StoreTransaction], at date: Date) -> Data? { nil }

    func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool { true }
}

extension StoreTransaction {
    /// The transaction without what StoreKit adds when it tells of it.
    fileprivate var unsigned: StoreTransaction {
        var copy = self
        copy.signedDate = nil
        copy.jwsRepresentation = nil
        copy.storeVerification = .notChecked
        return copy
    }
}
