import Foundation
import TestSupport

@testable import StoreManagerCore

extension TransactionLifecycle.Input {
    /// Every input, in every variety that makes a difference.
    static let samples: [Self] = {
        let transactions: [StoreTransaction] = [
            .sample(),
            .sample("1", of: "pass", .autoRenewable),
            .sample("1", of: "upgrade", .nonConsumable, state: .restored),
            .sample().with(\.revocationDate, .start),
            .sample("1", of: "pass", .autoRenewable).with(\.isUpgraded, true),
            .sample().with(\.storeVerification, .unverified(reason: "a test")),
        ]
        return transactions.map(Self.arrived) + transactions.map(Self.listed) + [
            .deferred,
            .scheduled(.sample(state: .scheduled)),
            .failed(.unknown(), nil), .failed(.unknown(), .sample(state: .failed)),
            .failed(.cancelled(), nil), .failed(.cancelled(), .sample(state: .failed)),
            .removed,
            .known(.new), .known(.handled), .known(.superseded), .known(.refused), .lookUpFailed(SampleError()),
            .contextFound(PurchaseContext(data: Data([1]))),
            .adopted, .abandoned, .noReceiver, .receiverAppeared,
            .verdict(.valid), .verdict(.invalid(reason: "a test")), .verdict(.unableToComplete(SampleError())),
            .persisted, .persistFailed(SampleError()), .downloaded, .downloadFailed(.downloadCancelled),
            .delivered, .finishRequested, .finished, .finishTimedOut, .retry,
        ]
    }()

    /// The transaction that the store brings with this input.
    var arrivingTransaction: StoreTransaction? {
        switch self {
        case .arrived(let transaction), .listed(let transaction): transaction
        default: nil
        }
    }

    /// The transaction that a lifecycle has after this input, where the input means anything to it.
    func transaction(after before: StoreTransaction?) -> StoreTransaction? {
        switch self {
        case .scheduled(let transaction): transaction
        case .failed(_, let transaction): transaction
        // A newer word of the store does not know what the app gave along.
        case .arrived(let transaction): transaction.with(\.context, before?.context)
        case .listed(let transaction):
            transaction.deliveryState == before?.deliveryState
                && transaction.storeVerification == before?.storeVerification
                ? before : transaction.with(\.context, before?.context)
        case .contextFound(let context): before?.with(\.context, context)
        default: before
        }
    }

    /// The input's name in ``LifecycleTable``.
    var name: String {
        switch self {
        case .known(let knowledge): knowledge.rawValue
        case .verdict(.valid): "valid"
        case .verdict(.invalid): "invalid"
        case .verdict(.unableToComplete): "unableToComplete"
        case .failed(let error, let transaction):
            (error.isCancellation ? "cancelled" : "failed") + (transaction == nil ? "" : "+transaction")
        default: caseName(of: self)
        }
    }
}

extension TransactionLifecycle.Effect {
    /// The effect's name in ``LifecycleTable``.
    var name: String {
        switch self {
        case .deliver(let outcome): "deliver \(outcome.name)"
        case .publish(let outcome): "publish \(outcome.name)"
        case .settle(let settlement): "settle \(caseName(of: settlement))"
        default: caseName(of: self)
        }
    }
}

extension TransactionOutcome {
    /// The outcome's name in ``LifecycleTable``.
    var name: String {
        if case .failed(_, let error) = self { "failed \(error.name)" } else { caseName(of: self) }
    }
}

/// The name of an enumeration's case.
private func caseName(of value: some Any) -> String {
    Mirror(reflecting: value).children.first?.label ?? String(describing: value)
}
