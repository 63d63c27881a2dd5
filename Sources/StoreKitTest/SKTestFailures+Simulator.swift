import StoreKit
import StoreSimulator

/// A failure of StoreKitTest's that the simulator can show.
protocol SimulatedFailure: SKTestFailure {
    /// The interface that fails.
    static var api: StoreAPI { get }
    /// The failure in the simulator's words.
    var failure: StoreAPIFailure { get }
    /// A failure of the simulator's; nil where this interface cannot show it.
    init?(_ failure: StoreAPIFailure)
}

/// A failure that every interface but the checking of signatures can show.
protocol GenericFailure: SimulatedFailure {
    static func generic(_ error: StoreKitError) -> Self
}

extension GenericFailure {
    init?(_ failure: StoreAPIFailure) {
        guard case .generic(let error) = failure else { return nil }
        self = .generic(error.storeKitError)
    }
}

extension SKTestFailures.LoadProducts: GenericFailure {
    static var api: StoreAPI { .loadProducts }

    var failure: StoreAPIFailure {
        switch self {
        case .generic(let error): .generic(.init(error))
        }
    }
}

extension SKTestFailures.AppStoreSync: GenericFailure {
    static var api: StoreAPI { .appStoreSync }

    var failure: StoreAPIFailure {
        switch self {
        case .generic(let error): .generic(.init(error))
        }
    }
}

extension SKTestFailures.SubscriptionStatus: GenericFailure {
    static var api: StoreAPI { .subscriptionStatus }

    var failure: StoreAPIFailure {
        switch self {
        case .generic(let error): .generic(.init(error))
        }
    }
}

extension SKTestFailures.AppTransaction: GenericFailure {
    static var api: StoreAPI { .appTransaction }

    var failure: StoreAPIFailure {
        switch self {
        case .generic(let error): .generic(.init(error))
        }
    }
}

extension SKTestFailures.ManageSubscriptions: GenericFailure {
    static var api: StoreAPI { .manageSubscriptions }

    var failure: StoreAPIFailure {
        switch self {
        case .generic(let error): .generic(.init(error))
        }
    }
}

extension SKTestFailures.OfferCodeRedeem: GenericFailure {
    static var api: StoreAPI { .offerCodeRedeem }

    var failure: StoreAPIFailure {
        switch self {
        case .generic(let error): .generic(.init(error))
        }
    }
}

extension SKTestFailures.Purchase: SimulatedFailure {
    static var api: StoreAPI { .purchase }

    var failure: StoreAPIFailure {
        switch self {
        case .generic(let error): .generic(.init(error))
        case .purchase(let error): .purchase(.init(error))
        }
    }

    init?(_ failure: StoreAPIFailure) {
        switch failure {
        case .generic(let error): self = .generic(error.storeKitError)
        case .purchase(let error): self = .purchase(error.purchaseError)
        case .verification, .refundRequest, .transaction: return nil
        }
    }
}

extension SKTestFailures.Verification: SimulatedFailure {
    static var api: StoreAPI { .verification }

    var failure: StoreAPIFailure {
        switch self {
        case .verification(let error): .verification(.init(error))
        }
    }

    init?(_ failure: StoreAPIFailure) {
        guard case .verification(let error) = failure else { return nil }
        self = .verification(.init(error))
    }
}

extension SKTestFailures.RefundRequest: SimulatedFailure {
    static var api: StoreAPI { .refundRequest }

    var failure: StoreAPIFailure {
        switch self {
        case .generic(let error): .generic(.init(error))
        case .refundRequest(.duplicateRequest): .refundRequest(.duplicateRequest)
        case .refundRequest(.failed): .refundRequest(.failed)
        }
    }

    init?(_ failure: StoreAPIFailure) {
        switch failure {
        case .generic(let error): self = .generic(error.storeKitError)
        case .refundRequest(.duplicateRequest): self = .refundRequest(.duplicateRequest)
        case .refundRequest(.failed): self = .refundRequest(.failed)
        case .purchase, .verification, .transaction: return nil
        }
    }
}
