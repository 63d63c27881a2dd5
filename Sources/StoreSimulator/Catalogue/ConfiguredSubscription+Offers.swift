import Foundation
import StoreManagerCore

extension StoreConfiguration.Subscription {
    /// The offer that a payment names.
    func offer(asked: RequestedOffer) -> StoreConfiguration.Offer? {
        switch asked {
        case .promotional(let id, _, _, _, _), .promotionalJWS(let id, _), .unsigned(let id):
            promotionalOffers.first { $0.id == id }
        case .winBack(let id): winBackOffers.first { $0.id == id }
        case .code(let name): codeOffers.first { $0.referenceName == name }
        case .introductoryEligibility: introductoryOffers.first
        }
    }

    /// The offer that was redeemed.
    func offer(_ redeemed: StoreRedeemedOffer) -> StoreConfiguration.Offer? {
        let offers =
            switch redeemed.type {
            case .introductory: introductoryOffers
            case .promotional: promotionalOffers
            case .code: codeOffers
            case .winBack: winBackOffers
            }
        return offers.first { StoreRedeemedOffer($0) == redeemed }
    }

    /// The billing plan of this name, if it is offered and is not paid up front.
    func plan(_ name: String) -> StoreConfiguration.BillingPlan? {
        billingPlans.first { $0.type == name && $0.isEnabled && $0.type != "BILLED_UPFRONT" }
    }
}

extension StoreConfiguration.Offer {
    /// How long what is paid at once lasts.
    var firstPeriod: StoreSubscriptionPeriod {
        paymentMode == .payAsYouGo ? period : period.multiplied(by: periodCount)
    }
}

extension StoreRedeemedOffer {
    /// The offer as a transaction names it. An offer code has no identifier but its reference name.
    init(_ offer: StoreConfiguration.Offer) {
        self.init(
            id: offer.type == .introductory ? nil : offer.id ?? offer.referenceName, type: offer.type,
            paymentMode: offer.paymentMode)
    }
}
