import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct ValueTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        @Test("A product says what the store says, in the session's language")
        func product() async throws {
            kiosk.session.locale = Locale(identifier: "de_DE")
            kiosk.session.storefront = "DEU"
            let stamps = try await kiosk.product(Kiosk.stamps)
            #expect(stamps.displayName == "Zehn Marken" && stamps.description.isEmpty)
            #expect(stamps.type == .consumable && stamps.subscription == nil && !stamps.isFamilyShareable)
            #expect(stamps.price == Decimal(string: "0.99"))
            #expect(stamps.displayPrice == stamps.price.formatted(stamps.priceFormatStyle))
            #expect(stamps.displayPrice.contains("€"))
            let json = try #require(try JSONSerialization.jsonObject(with: stamps.jsonRepresentation) as? [String: Any])
            #expect(json["id"] as? String == Kiosk.stamps)
            #expect(stamps.debugDescription.contains(Kiosk.stamps))
        }

        @Test("A subscription says its terms and its offers")
        func subscription() async throws {
            let gold = try #require(try await kiosk.product(Kiosk.goldMonthly).subscription)
            #expect(
                gold.subscriptionGroupID == Kiosk.group && gold.groupLevel == 1 && gold.groupDisplayName == "Premium")
            #expect(gold.subscriptionPeriod == .monthly && gold.promotionalOffers.isEmpty)
            let trial = try #require(gold.introductoryOffer)
            #expect(trial.id == nil && trial.type == .introductory && trial.paymentMode == .freeTrial)
            #expect(trial.price == 0 && trial.period == .weekly && trial.periodCount == 1)

            let silver = try #require(try await kiosk.product(Kiosk.silverMonthly).subscription)
            let loyal = try #require(silver.promotionalOffers.first)
            #expect(loyal.id == "loyal" && loyal.type == .promotional && loyal.paymentMode == .payAsYouGo)
            #expect(loyal.periodCount == 3 && loyal.displayPrice == "$2.99")
            #expect(silver.winBackOffers.map(\.type) == [.winBack] && silver.introductoryOffer == nil)
            #expect(gold != silver)
        }

        @Test(
            "A period has an end, a length and a text",
            arguments: [
                (Product.SubscriptionPeriod.everyThreeDays, "2025-01-04"), (.weekly, "2025-01-08"),
                (.monthly, "2025-02-01"),
                (.everySixMonths, "2025-07-01"), (.yearly, "2026-01-01"),
            ])
        func periods(period: Product.SubscriptionPeriod, end: String) throws {
            let start = VirtualClock.defaultStart
            let range = period.dateRange(referenceDate: start)
            #expect(range.lowerBound == start)
            #expect(range.upperBound.formatted(.iso8601.year().month().day()) == end)
            #expect(!period.formatted(Duration.UnitsFormatStyle.units(), referenceDate: start).isEmpty)
            #expect(!period.formatted(Date.IntervalFormatStyle(), referenceDate: start).isEmpty)
            #expect(DateComponents(subscriptionPeriod: period).value(for: period.unit) == period.value)
        }

        @Test("Units of periods are ordered and have names")
        func units() async throws {
            #expect(Product.SubscriptionPeriod.Unit.day < .week && Product.SubscriptionPeriod.Unit.month < .year)
            let style = try await kiosk.product(Kiosk.goldYearly).subscriptionPeriodUnitFormatStyle
            #expect(
                [Product.SubscriptionPeriod.Unit.day, .week, .month, .year].map { $0.formatted(style) } == [
                    "day", "week", "month", "year",
                ])
            #expect(Product.SubscriptionPeriod.Unit.month.localizedDescription == "month")
        }

        @Test("A transaction says what was bought, where and at what price")
        func transaction() async throws {
            let transaction = try await kiosk.buy(Kiosk.goldMonthly)
            #expect(transaction.productType == .autoRenewable && transaction.subscriptionGroupID == Kiosk.group)
            #expect(
                transaction.purchaseDate == kiosk.store.clock.now && transaction.signedDate == transaction.purchaseDate)
            #expect(transaction.originalPurchaseDate == transaction.purchaseDate)
            #expect(
                transaction.expirationDate == Calendar.utc.date(byAdding: .day, value: 7, to: transaction.purchaseDate))
            #expect(transaction.webOrderLineItemID != nil && !transaction.isUpgraded)
            #expect(transaction.environment == .xcode && transaction.environmentStringRepresentation == "Xcode")
            #expect(transaction.reason == .purchase && transaction.reasonStringRepresentation == "PURCHASE")
            #expect(transaction.storefront.countryCode == "USA" && transaction.storefrontCountryCode == "USA")
            #expect(
                transaction.price == 0 && transaction.currency?.identifier == "USD" && transaction.currencyCode == "USD"
            )
            #expect(transaction.offer?.type == .introductory && transaction.offer?.period == .weekly)
            #expect(transaction.offer?.id == nil && transaction.ownershipType == .purchased)
            #expect(transaction.revocationDate == nil && transaction.revocationReason == nil)
            #expect(transaction.advancedCommerceInfo == nil && !transaction.appBundleID.isEmpty)
            #expect(transaction.debugDescription == String(decoding: transaction.jsonRepresentation, as: UTF8.self))
        }

        @Test("Without a signer signed data says that nobody signed")
        func unsigned() async throws {
            guard case .success(let result) = try await kiosk.product(Kiosk.removeAds).purchase() else { return }
            let parts = result.jwsRepresentation.split(separator: ".", omittingEmptySubsequences: false)
            #expect(parts.count == 3 && parts[2].isEmpty && result.signatureData.isEmpty)
            #expect(String(decoding: result.headerData, as: UTF8.self) == #"{"alg":"none"}"#)
            #expect(String(decoding: result.signedData, as: UTF8.self) == parts[0] + "." + parts[1])
            #expect(result.payloadData == (try result.payloadValue.jsonRepresentation))
            #expect(result.deviceVerification.isEmpty && AppStore.deviceVerificationID == nil)
            #expect(result.signedDate == (try result.payloadValue.signedDate))
            let claims = try #require(try JSONSerialization.jsonObject(with: result.payloadData) as? [String: Any])
            #expect(claims["productId"] as? String == Kiosk.removeAds)
            #expect(claims["price"] as? Int == 4_990 && claims["currency"] as? String == "USD")
            #expect(claims["type"] as? String == "Non-Consumable" && claims["environment"] as? String == "Xcode")
            #expect(claims["purchaseDate"] as? Int == 1_735_689_600_000)
            #expect(claims["transactionId"] as? String == String(try result.payloadValue.id))
            #expect(
                claims["deviceVerificationNonce"] as? String == result.deviceVerificationNonce.uuidString.lowercased())
        }

        @Test("What the signer signs is handed on as it is")
        func signed() async throws {
            kiosk.store.signer = EchoSigner()
            guard case .success(let result) = try await kiosk.product(Kiosk.silverMonthly).purchase() else { return }
            #expect(result.jwsRepresentation == "e30.eyJlY2hvIjoiMSJ9.c2lnbmVk")
            #expect(String(decoding: result.payloadData, as: UTF8.self) == #"{"echo":"1"}"#)
            #expect(String(decoding: result.signatureData, as: UTF8.self) == "signed")
            let status = try #require(try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
            #expect(status.renewalInfo.jwsRepresentation.hasSuffix(".c2lnbmVk"))
            #expect(status.renewalInfo.payloadData == status.renewalInfo.unsafePayloadValue.jsonRepresentation)
            #expect(try await AppTransaction.shared.jwsRepresentation.hasSuffix(".c2lnbmVk"))
        }

        @Test("The app's own transaction is read once, and again when it is refreshed")
        func appTransaction() async throws {
            let first = try await AppTransaction.shared.payloadValue
            #expect(first.environment == .xcode && !first.bundleID.isEmpty && !first.appVersion.isEmpty)
            #expect(
                first.originalAppVersion == first.appVersion && first.originalPurchaseDate == VirtualClock.defaultStart)
            #expect(first.appID == nil && first.appVersionID == nil && first.preorderDate == nil)
            #expect(first.originalPlatform == .macOS && first.originalPlatformStringRepresentation == "macOS")
            kiosk.store.clock.advance(by: 60)
            #expect(try await AppTransaction.shared.payloadValue == first)
            #expect(try await AppTransaction.refresh().payloadValue.signedDate == first.signedDate + 60)
            #expect(try await AppTransaction.shared.payloadValue != first)
        }

        @Test("Products are promoted in the order and with the visibility that the app gives")
        func promotions() async throws {
            #expect(try await Product.PromotionInfo.currentOrder.isEmpty)
            try await Product.PromotionInfo.updateProductOrder(byID: [Kiosk.season, Kiosk.stamps])
            try await Product.PromotionInfo.updateProductVisibility(.hidden, for: Kiosk.stamps)
            try await Product.PromotionInfo.updateProductVisibility(.visible, for: Kiosk.removeAds)
            var order = try await Product.PromotionInfo.currentOrder
            #expect(order.map(\.productID) == [Kiosk.season, Kiosk.stamps, Kiosk.removeAds])
            #expect(order.map(\.visibility) == [.appStoreConnectDefault, .hidden, .visible])
            try await Product.PromotionInfo.updateProductOrder(byID: [Kiosk.stamps])
            #expect(try await Product.PromotionInfo.currentOrder.map(\.visibility) == [.hidden])
            order.removeFirst()
            order[0].visibility = .visible
            try await order[0].update()
            #expect(try await Product.PromotionInfo.currentOrder.first?.visibility == .visible)
            try await Product.PromotionInfo.updateAll([])
            #expect(try await Product.PromotionInfo.currentOrder.isEmpty)
        }

        @Test("Open sets keep what they do not know")
        func openSets() {
            #expect(Product.ProductType(rawValue: "Bundle").rawValue == "Bundle")
            #expect(Product.ProductType.consumable.localizedDescription == "Consumable")
            #expect(Transaction.OfferType(rawValue: 9) != .winBack && Transaction.OfferType.winBack.rawValue == 4)
            #expect(Product.SubscriptionInfo.RenewalState.revoked.rawValue == 5)
            #expect(AppStore.Environment(rawValue: "Moon") != .production)
        }
    }
}

/// Signs nothing, and says "signed".
private struct EchoSigner: StoreSigner {
    func jws(of transaction: StoreTransaction) -> String? {
        "e30.\(Data(#"{"echo":"\#(transaction.id)"}"#.utf8).base64EncodedString()).c2lnbmVk"
    }
    func jws(ofPayload payload: Data) -> String? {
        "e30.\(payload.base64EncodedString().replacing("=", with: "")).c2lnbmVk"
    }
    func receipt(of transactions: [StoreTransaction], at date: Date) -> Data? { nil }
    func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool { true }
}

extension DateComponents {
    fileprivate func value(for unit: Product.SubscriptionPeriod.Unit) -> Int? {
        switch unit {
        case .day: day
        case .week: weekOfYear
        case .month: month
        case .year: year
        @unknown default: nil
        }
    }
}

extension Calendar {
    fileprivate static let utc = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
