public import Foundation
public import StoreManagerCore

/// Signs what a simulated store says, and checks what an app's server signed.
///
/// The simulator knows no cryptography: without a signer nothing is signed, transactions have no JWS, there is no receipt, and
/// the signatures of offers are only looked at for their form.
public protocol StoreSigner: Sendable {
    /// The signed form of a transaction, a JWS; nil leaves it unsigned.
    func jws(of transaction: StoreTransaction) -> String?

    /// The app receipt that lists these transactions; nil where there is none.
    func receipt(of transactions: [StoreTransaction], at date: Date) -> Data?

    /// The signed form of what StoreKit itself makes besides, renewal infos and app transactions: a JWS over the payload, JSON
    /// under Apple's names. Nil, which is the default, leaves it unsigned.
    func jws(ofPayload payload: Data) -> String?

    /// Whether the signature of an offer holds for a payment.
    func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool
}

extension StoreSigner {
    /// Leaves it unsigned.
    public func jws(ofPayload payload: Data) -> String? { nil }

    /// The event with its transactions signed.
    func signing(_ event: StoreBackendEvent) -> StoreBackendEvent {
        switch event {
        case .transactionsUpdated(let updates):
            .transactionsUpdated(
                updates.map { update in
                    var update = update
                    update.transaction = signing(update.transaction)
                    return update
                })
        case .entitlementsRead(.success(let transactions), let token):
            .entitlementsRead(.success(transactions.map { signing($0) }), for: token)
        default: event
        }
    }

    /// The transaction, signed if it was paid.
    func signing(_ transaction: StoreTransaction) -> StoreTransaction {
        switch transaction.state {
        case .purchased, .restored, .scheduled:
            var signed = transaction
            signed.jwsRepresentation = jws(of: transaction)
            return signed
        case .purchasing, .deferred, .failed:
            return transaction
        }
    }
}
