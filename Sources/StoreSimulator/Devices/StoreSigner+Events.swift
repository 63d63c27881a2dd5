import StoreManagerCore

extension StoreSigner {
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
