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
        return lookUp(transaction)
    }

    /// A restore looks up all that it lists together, and asks about it together.
    mutating func lookUp(_ transaction: StoreTransaction) -> [Effect] {
        phase = .lookingUp
        return origin == .restore ? [] : [.lookUp(transaction)]
    }

    // lookingUp -> verifying | persisting (revoked or upgraded) | unread | gathered (a restore's, refused) | done (known)
    // unread -> lookingUp
    mutating func handleLookingUp(_ input: Input) -> [Effect] {
        guard let transaction else { return [] }
        switch (phase, input) {
        case (.unread, .retry):
            return lookUp(transaction)
        case (.unread, .arrived(let newer)):
            return arrive(newer)
        case (.lookingUp, .known(let knowledge)):
            return learn(knowledge, of: transaction)
        case (.lookingUp, .lookUpFailed(let error)):
            phase = .unread
            return tell(.persistenceFailed(underlying: error)) + [.scheduleRetry]
        case (.lookingUp, .contextFound(let context)):
            self.transaction?.context = context
            return []
        case (.lookingUp, .abandoned) where origin == .restore:
            origin = .unasked
            return lookUp(transaction)
        default:
            return []
        }
    }

    private mutating func learn(_ knowledge: Knowledge, of transaction: StoreTransaction) -> [Effect] {
        switch knowledge {
        case .new where origin == .restore, .handled where origin == .restore:
            // What was handed over before is restored all the same, if it is genuine.
            phase = .verifying
            return []
        case .new where !transaction.deliveryState.grants:
            outcome = transaction.revocationDate != nil ? .revoked(transaction) : .upgraded(transaction)
            phase = .persisting
            return [.persist(transaction)]
        case .new:
            phase = .verifying
            return [.verify(transaction)]
        case .handled where origin == .request:
            return endWithKnownTransaction(transaction)
        case .handled:
            phase = .done
            return isRemoved ? [.end] : [.finish(transaction), .end]
        case .superseded where origin == .request:
            return end(.failed(transaction, .unfinishedTransaction(id: transaction.id)))
        case .superseded:
            phase = .done
            return [.end]
        case .refused where origin != .unasked:
            return refuse(transaction, reason: "it was refused before")
        case .refused:
            phase = .done
            return finishesManually || isRemoved ? [.end] : [.finish(transaction), .end]
        }
    }

    /// The store answered a payment with a transaction that was handed over before: what that means the store says, or else it
    /// depends on the product, whose type not every store tells.
    mutating func endWithKnownTransaction(_ transaction: StoreTransaction) -> [Effect] {
        let finishing = finishesManually || isRemoved ? [] : [Effect.finish(transaction)]
        switch transaction.productType {
        case _ where transaction.state == .restored, .nonConsumable:
            return finishing + end(.restored(transaction.inState(.restored)))
        case .autoRenewable:
            return end(.scheduled(transaction.inState(.scheduled)))
        case .consumable, .nonRenewable, .unknown:
            return finishing + end(.failed(transaction, .unfinishedTransaction(id: transaction.id)))
        }
    }
}
