import StoreKit
import StoreManagerCore

// What StoreKit says without having been asked.
extension StoreKit2Backend {
    /// Begins to read all of StoreKit's sequences for an observer.
    func begin(_ observation: StoreKitObservation) {
        // StoreKit tells of what is unfinished at the beginning of its updates; asking for it besides costs a repetition, and
        // does not rest on that.
        observation.read {
            Transaction.updates
        } _: {
            $0.receive($1)
        }
        observation.read {
            Transaction.unfinished
        } _: {
            $0.receive($1)
        }
        observation.read {
            Storefront.updates
        } _: {
            $0.receive($1)
        }
        readStorefront()
        readIntents(for: observation)
    }

    private func receive(_ result: VerificationResult<Transaction>) {
        report(.transactionsUpdated([StoreTransactionUpdate(remember(result))]))
    }

    private func receive(_ storefront: Storefront) {
        forgetProducts()
        self.storefront = StoreStorefront(storefront)
        report(.storefrontChanged(self.storefront))
    }

    /// Finds out where it is sold from at first; that is no change.
    private func readStorefront() {
        run { backend in
            let current = await Storefront.current
            if backend.storefront == nil { backend.storefront = current.map { StoreStorefront($0) } }
            return []
        }
    }
}

extension StoreStorefront {
    /// StoreKit's storefront in the words of the package.
    init(_ storefront: Storefront) { self.init(id: storefront.id, countryCode: storefront.countryCode) }
}
