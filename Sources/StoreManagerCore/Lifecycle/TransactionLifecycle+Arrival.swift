/// From the payment to the question whether the transaction was dealt with before.
extension TransactionLifecycle {
    // submitted -> deferred | lookingUp | verifying | unverified | done
    // deferred -> lookingUp | unverified | done
    mutating func handleBeforePayment(_ input: Input) -> [Effect] {
        switch input {
        case .deferred where phase == .submitted:
            phase = .deferred
            return [.announceDeferral]
        case .arrived(let transaction):
            return arrive(transaction)
        case .scheduled(let transaction):
            self.transaction = transaction
            return end(.scheduled(transaction))
        case .failed(let error, let transaction):
            self.transaction = transaction
            let ending = end(.failing(with: error, transaction))
            guard let transaction else { return ending }
            return [.finish(transaction)] + ending
        case .removed:
            return end(.failed(nil, .transactionRemoved))
        default:
            return []
        }
    }

    mutating func arrive(_ transaction: StoreTransaction) -> [Effect] {
        // A newer word of the store does not know what the app gave along.
        let transaction = transaction.with(transaction.context ?? self.transaction?.context)
        self.transaction = transaction
        outcome = nil
        if case .unverified(let reason) = transaction.storeVerification {
            phase = .unverified
            return tell(.verificationFailed(reason: reason))
        }
        if origin == .restore {
            phase = .verifying
            return []
        }
        phase = .lookingUp
        return [.lookUp(transaction)]
    }

    // lookingUp -> verifying | persisting (revoked or upgraded) | done (known)
    mutating func handleLookingUp(_ input: Input) -> [Effect] {
        guard let transaction else { return [] }
        switch input {
        case .contextFound(let context):
            self.transaction?.context = context
            return []
        case .known(.new) where !transaction.deliveryState.grants:
            outcome = transaction.revocationDate != nil ? .revoked(transaction) : .upgraded(transaction)
            phase = .persisting
            return [.persist(transaction)]
        case .known(.new):
            phase = .verifying
            return [.verify(transaction)]
        case .known(.handled) where origin == .request:
            return endWithKnownTransaction(transaction)
        case .known(.handled):
            phase = .done
            return isRemoved ? [.end] : [.finish(transaction), .end]
        case .known(.superseded) where origin == .request:
            return end(.failed(transaction, .unfinishedTransaction(id: transaction.id)))
        case .known(.superseded):
            phase = .done
            return [.end]
        case .known(.refused) where origin == .request:
            return refuse(transaction, reason: "it was refused before")
        case .known(.refused):
            phase = .done
            return finishesManually || isRemoved ? [.end] : [.finish(transaction), .end]
        default:
            return []
        }
    }

    /// The store answered a payment with a transaction that was handed over before: what that means depends on the product.
    mutating func endWithKnownTransaction(_ transaction: StoreTransaction) -> [Effect] {
        let finishing = finishesManually || isRemoved ? [] : [Effect.finish(transaction)]
        switch transaction.productType {
        case .nonConsumable:
            return finishing + end(.restored(transaction.inState(.restored)))
        case .autoRenewable:
            return end(.scheduled(transaction.inState(.scheduled)))
        case .consumable, .nonRenewable, .unknown:
            return finishing + end(.failed(transaction, .unfinishedTransaction(id: transaction.id)))
        }
    }
}
