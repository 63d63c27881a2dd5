import Foundation
import StoreManagerCore

/// A `.storekit` file as it is written: the file's own keys, each of them optional unless nothing can be sold without it.
///
/// Keys that are not named here are passed over.
struct ConfigurationFile: Decodable {
    var version: Version
    var identifier: String?
    var products: [Product]?
    var nonRenewingSubscriptions: [Product]?
    var subscriptionGroups: [SubscriptionGroup]?
    var settings: Settings?
    var subscriptionOffersKeyPair: KeyPair?
    var appPolicies: AppPolicies?

    struct Version: Decodable {
        var major: WholeNumber
        var minor: WholeNumber
    }

    struct Product: Decodable {
        var productID: ProductIdentifier
        var type: ProductType?
        var referenceName: String?
        var displayPrice: Price?
        var familyShareable: Bool?
        var internalID: String?
        var localizations: [Localization]?
    }

    struct Localization: Decodable {
        var locale: String?
        var displayName: String?
        /// What stands in the place of `displayName` in files written by hand.
        var name: String?
        var description: String?
    }

    struct SubscriptionGroup: Decodable {
        var id: String
        var name: String?
        var localizations: [Localization]?
        var subscriptions: [Subscription]?
    }

    /// A product with the keys of a subscription beside its own.
    struct Subscription: Decodable {
        var product: Product
        var terms: Terms

        init(from decoder: any Decoder) throws {
            product = try Product(from: decoder)
            terms = try Terms(from: decoder)
        }

        struct Terms: Decodable {
            var groupNumber: Count?
            var recurringSubscriptionPeriod: Period?
            var introductoryOffer: Offer?
            var introductoryOffers: [Offer]?
            var adHocOffers: [Offer]?
            var codeOffers: [Offer]?
            var winbackOffers: [Offer]?
            var billingPlans: [BillingPlan]?
        }
    }

    struct Offer: Decodable {
        var paymentMode: PaymentMode
        var subscriptionPeriod: OfferPeriod
        var numberOfPeriods: Count?
        var displayPrice: Price?
        var offerID: String?
        var referenceName: String?
        var internalID: String?
        var eligibility: [String]?
        var isStackable: Bool?
        var isEligible: Bool?
        var billingPlanType: String?
    }

    struct BillingPlan: Decodable {
        var billingPlanType: String?
        var displayPrice: Price?
        var commitmentDisplayPrice: Price?
        var isEnabled: Bool?
        var internalID: String?
    }

    struct Settings: Decodable {
        var _storefront: String?
        var _locale: String?
        var _timeRate: WholeNumber?
        var _compatibilityTimeRate: CompatibilityTimeRate?
        var _askToBuyEnabled: Bool?
        var _billingIssuesEnabled: Bool?
        var _renewalBillingIssuesEnabled: Bool?
        var _billingGracePeriodEnabled: Bool?
        var _disableDialogs: Bool?
        var _failTransactionsEnabled: Bool?
        var _storeKitError: WholeNumber?
        var _storeKitErrors: [StoreKitError]?
        var _developerTeamID: String?
        var _applicationInternalID: String?
        var _lastSynchronizedDate: Seconds?

        struct StoreKitError: Decodable {
            var name: String?
            var enabled: Bool?
            var current: Failure?
        }

        struct Failure: Decodable {
            var type: String?
            var index: WholeNumber?
        }
    }

    struct KeyPair: Decodable {
        var id: String?
        var privateKey: String?
    }

    struct AppPolicies: Decodable {
        var eula: String?
        var policies: [Policy]?

        struct Policy: Decodable {
            var locale: String?
            var policyText: String?
            var policyURL: String?
        }
    }
}
