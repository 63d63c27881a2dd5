import Foundation
import StoreManagerCore

extension StoreConfiguration {
    init(_ file: ConfigurationFile) {
        let groups = file.subscriptionGroups ?? []
        self.init(
            version: Version(major: file.version.major.value, minor: file.version.minor.value),
            identifier: file.identifier ?? "",
            products: (file.products ?? []).map { Product($0, type: .unknown) }
                + (file.nonRenewingSubscriptions ?? []).map { Product($0, type: .nonRenewable) }
                + groups.flatMap { group in (group.subscriptions ?? []).map { Product($0, groupID: group.id) } },
            subscriptionGroups: groups.map(SubscriptionGroup.init),
            settings: file.settings.map(Settings.init) ?? Settings(),
            offersKeyPair: file.subscriptionOffersKeyPair.map(OffersKeyPair.init),
            appPolicies: file.appPolicies.map(AppPolicies.init))
    }
}

extension StoreConfiguration.Product {
    fileprivate init(_ file: ConfigurationFile.Product, type: StoreProductType) {
        self.init(
            id: file.productID.text, type: file.type?.type ?? type, price: file.displayPrice?.amount,
            referenceName: file.referenceName, isFamilyShareable: file.familyShareable ?? false,
            internalID: file.internalID,
            localizations: (file.localizations ?? []).map(StoreConfiguration.Localization.init))
    }

    fileprivate init(_ file: ConfigurationFile.Subscription, groupID: String) {
        self.init(file.product, type: .autoRenewable)
        type = .autoRenewable
        subscription = StoreConfiguration.Subscription(file.terms, groupID: groupID)
    }
}

extension StoreConfiguration.Localization {
    fileprivate init(_ file: ConfigurationFile.Localization) {
        self.init(
            locale: file.locale ?? "", displayName: file.displayName ?? file.name ?? "",
            description: file.description ?? "")
    }
}

extension StoreConfiguration.SubscriptionGroup {
    fileprivate init(_ file: ConfigurationFile.SubscriptionGroup) {
        self.init(
            id: file.id, name: file.name ?? "",
            localizations: (file.localizations ?? []).map(StoreConfiguration.Localization.init))
    }
}

extension StoreConfiguration.Subscription {
    fileprivate init(_ file: ConfigurationFile.Subscription.Terms, groupID: String) {
        func offers(_ type: StoreOfferType, _ files: [ConfigurationFile.Offer]?) -> [StoreConfiguration.Offer] {
            (files ?? []).map { StoreConfiguration.Offer($0, type: type) }
        }
        // In 5.0 the one introductory offer stands in both places.
        let introductory = [file.introductoryOffers ?? [], [file.introductoryOffer].compactMap(\.self)]
        self.init(
            groupID: groupID, groupLevel: file.groupNumber?.value ?? 1,
            period: file.recurringSubscriptionPeriod?.period,
            introductoryOffers: offers(.introductory, introductory.first { !$0.isEmpty }),
            promotionalOffers: offers(.promotional, file.adHocOffers),
            codeOffers: offers(.code, file.codeOffers), winBackOffers: offers(.winBack, file.winbackOffers),
            billingPlans: (file.billingPlans ?? []).map(StoreConfiguration.BillingPlan.init))
    }
}

extension StoreConfiguration.Offer {
    fileprivate init(_ file: ConfigurationFile.Offer, type: StoreOfferType) {
        let mode = file.paymentMode.mode
        self.init(
            type: type, id: type == .introductory || type == .code ? nil : file.offerID, paymentMode: mode,
            // The price of a free offer is what was left when its payment mode was edited.
            price: mode == .freeTrial ? 0 : file.displayPrice?.amount,
            period: file.subscriptionPeriod.period, periodCount: file.numberOfPeriods?.value ?? 1,
            referenceName: file.referenceName, internalID: file.internalID,
            eligibility: Set((file.eligibility ?? []).map(Eligibility.init)),
            isStackable: file.isStackable ?? false, isEligible: file.isEligible ?? true,
            billingPlanType: file.billingPlanType)
    }
}

extension StoreConfiguration.BillingPlan {
    fileprivate init(_ file: ConfigurationFile.BillingPlan) {
        self.init(
            type: file.billingPlanType ?? "", price: file.displayPrice?.amount,
            commitmentPrice: file.commitmentDisplayPrice?.amount, isEnabled: file.isEnabled ?? true,
            internalID: file.internalID)
    }
}

extension StoreConfiguration.Settings {
    fileprivate init(_ file: ConfigurationFile.Settings) {
        self.init()
        if let text = file._storefront, !text.isEmpty { storefront = text }
        if let text = file._locale, !text.isEmpty { locale = text }
        if let rate = file._timeRate?.value ?? file._compatibilityTimeRate?.rate {
            timeRate = StoreTimeRate(rawValue: rate)
        }
        asksToBuy = file._askToBuyEnabled ?? false
        interruptsPurchases = file._billingIssuesEnabled ?? false
        failsRenewals = file._renewalBillingIssuesEnabled ?? false
        grantsBillingGracePeriod = file._billingGracePeriodEnabled ?? false
        disablesDialogs = file._disableDialogs ?? false
        failsTransactions = file._failTransactionsEnabled ?? false
        transactionFailureCode = file._storeKitError?.value
        simulatedFailures = (file._storeKitErrors ?? []).map(StoreConfiguration.SimulatedFailure.init)
        developerTeamID = file._developerTeamID
        applicationInternalID = file._applicationInternalID
        lastSynchronizedDate = file._lastSynchronizedDate?.date
    }
}

extension StoreConfiguration.SimulatedFailure {
    fileprivate init(_ file: ConfigurationFile.Settings.StoreKitError) {
        self.init(
            interface: Interface(rawValue: file.name ?? ""), isEnabled: file.enabled ?? false,
            failure: file.current.map { Failure(type: $0.type ?? "", index: $0.index?.value ?? 0) })
    }
}

extension StoreConfiguration.OffersKeyPair {
    fileprivate init(_ file: ConfigurationFile.KeyPair) {
        self.init(
            id: file.id ?? "", privateKey: StoreConfiguration.PrivateKey(base64: file.privateKey ?? ""))
    }
}

extension StoreConfiguration.AppPolicies {
    fileprivate init(_ file: ConfigurationFile.AppPolicies) {
        self.init(
            eula: file.eula ?? "",
            policies: (file.policies ?? []).map {
                Policy(locale: $0.locale ?? "", text: $0.policyText ?? "", url: $0.policyURL ?? "")
            })
    }
}
