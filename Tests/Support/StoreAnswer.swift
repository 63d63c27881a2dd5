package import StoreManagerCore

/// The ways in which a store ends a purchase.
package enum StoreAnswer: String, CaseIterable, Sendable {
    case purchased, restored, scheduled, failed, cancelled
    /// As `failed` and `cancelled`, where the store has no transaction.
    case failedWithoutTransaction, cancelledWithoutTransaction
    /// Neither a transaction nor an error.
    case nothing

    /// What the store reports, with transaction 1.
    package func event(for payment: StorePayment) -> StoreBackendEvent {
        switch self {
        case .purchased, .restored, .scheduled, .failed, .cancelled:
            .transactionsUpdated([
                StoreTransactionUpdate(.sample("1", for: payment, state: state), token: payment.token, error: error)
            ])
        case .failedWithoutTransaction, .cancelledWithoutTransaction, .nothing:
            .purchaseEnded(error, for: payment.token)
        }
    }

    private var state: StoreTransactionState {
        switch self {
        case .purchased: .purchased
        case .restored: .restored
        case .scheduled: .scheduled
        default: .failed
        }
    }

    private var error: StoreError? {
        switch self {
        case .failed, .failedWithoutTransaction: .productUnavailable()
        case .cancelled, .cancelledWithoutTransaction: .cancelled()
        default: nil
        }
    }

    /// What closures record that has to say of it, as ``Recorder/purchaseHandlers(_:verifies:)`` does.
    package var line: String {
        switch self {
        case .purchased: "success 1"
        case .restored, .scheduled: "restore 1"
        case .failed: "failure 1 productUnavailable"
        case .failedWithoutTransaction: "failure - productUnavailable"
        case .cancelled, .cancelledWithoutTransaction: "cancel"
        case .nothing: "failure - unknown"
        }
    }
}
