import Foundation
import StoreKit
import StoreManagerCore

extension StoreRenewalInfo {
    /// What StoreKit says about the next renewal.
    init(_ info: Product.SubscriptionInfo.RenewalInfo) {
        self.init(
            originalTransactionID: String(info.originalTransactionID), currentProductIdentifier: info.currentProductID,
            willAutoRenew: info.willAutoRenew, isInBillingRetry: info.isInBillingRetry,
            gracePeriodExpirationDate: info.gracePeriodExpirationDate, signedDate: info.signedDate)
        autoRenewPreference = info.autoRenewPreference
        expirationReason = info.expirationReason.map { StoreExpirationReason(rawValue: $0.rawValue) }
        priceIncreaseStatus = PriceIncreaseStatus(info.priceIncreaseStatus)
        renewalDate = info.renewalDate
        renewalPrice = info.renewalPrice
        currencyCode = info.currency?.identifier
        recentSubscriptionStartDate = info.recentSubscriptionStartDate
        appAccountToken = info.appAccountToken
        environment = StoreEnvironment(rawValue: info.environment.rawValue)
        if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) {
            offer = info.offer.flatMap { StoreRedeemedOffer($0) }
            eligibleWinBackOfferIDs = info.eligibleWinBackOfferIDs
        }
    }
}

extension StoreRenewalInfo.PriceIncreaseStatus {
    fileprivate init(_ status: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus) {
        switch status {
        case .noIncreasePending: self = .noIncreasePending
        case .pending: self = .pending
        case .agreed: self = .agreed
        }
    }
}
