import Foundation
public import StoreManagerCore

/// The person at a device, and what is in the account.
extension SimulatedBackend {
    /// The name of the account.
    public var accountName: String { store.engine.accounts[accountIndex].name }

    /// The person at the device, with the answers to the store's questions.
    public var buyer: StoreBuyer {
        get { store.engine.accounts[accountIndex].buyer }
        set { store.perform(.setBuyer(newValue, account: accountIndex)) }
    }

    /// All transactions of the account, the oldest first: also failed ones, those that wait for approval, and finished ones.
    public var allTransactions: [SimulatedTransaction] {
        let engine = store.engine
        return engine.records(of: accountIndex).flatMap { record in
            (0..<record.count).map { index in
                SimulatedTransaction(
                    store.signed(engine.transaction(index, of: record)), index, of: record, in: engine)
            }
        }
    }

    /// The account's transactions that the app has not finished, the oldest first.
    public var unfinishedTransactions: [StoreTransaction] {
        guard !readsNothing else { return [] }
        let (listing, now) = (store.controls.habits.unfinishedListing, store.engine.now)
        return store.engine.unfinishedTransactions(of: accountIndex).compactMap { store.transaction($0) }.filter {
            listing?.contains(now.timeIntervalSince($0.signedDate ?? $0.purchaseDate)) ?? true
        }
    }

    /// What the account is entitled to now.
    public var currentEntitlements: [StoreTransaction] {
        guard !readsNothing else { return [] }
        return store.engine.currentEntitlements(of: accountIndex).compactMap { store.transaction($0) }
    }

    /// The newest paid transaction of a product; nil where there is none.
    public func latestTransaction(for productIdentifier: String) -> StoreTransaction? {
        allTransactions.last { $0.productIdentifier == productIdentifier && $0.hasBeenPaid }?.transaction
    }

    /// What is known of the next renewal of each subscription, the account's own and its shares in others'.
    public var renewalInfos: [StoreRenewalInfo] {
        store.engine.accounts[accountIndex].subscriptions.map { store.engine.renewalInfo(ofSubscription: Int($0)) }
    }

    /// How the account's own subscription of a group stands now; nil where it never had one.
    public func subscriptionState(inGroup groupID: String) -> StoreSubscriptionStatus.State? {
        let index = store.engine.subscriptionIndex(inGroup: groupID, account: accountIndex)
        return index.map { store.engine.state(ofSubscription: $0) }
    }

    /// Whether the account may have an introductory offer of a group: it never had one, and does not subscribe now.
    public func isEligibleForIntroductoryOffer(inGroup groupID: String) -> Bool {
        store.perform(.askEligibility(group: groupID, device: deviceIndex)) == 1
    }

    /// Lets the account have an introductory offer of a group again, whatever it has had; no transaction is deleted. Who
    /// subscribes now still has to leave first.
    public func resetIntroductoryOfferEligibility(inGroup groupID: String) {
        store.perform(.resetEligibility(group: groupID, account: accountIndex))
    }

    /// Makes the account a member of another's family, which shares with it all that may be shared.
    ///
    /// - Throws: ``SimulatorError`` where there is no such account, or one of both is in a family already.
    public func joinFamily(of organizer: String) throws(SimulatorError) {
        guard let index = store.accountIndex(named: organizer) else { throw .unknownName(organizer) }
        try store.attempt(.joinFamily(account: accountIndex, organizer: index))
    }

    /// Takes the account out of its family; what was shared with it is taken back.
    ///
    /// - Throws: ``SimulatorError`` where it is in no family.
    public func leaveFamily() throws(SimulatorError) { try store.attempt(.leaveFamily(account: accountIndex)) }

    /// Whether this is asked by a task that was cancelled, and the store answers such a task with nothing.
    var readsNothing: Bool { store.controls.habits.cancelledTasksReadNothing && Task.isCancelled }

    /// The number of the account in the store.
    var accountIndex: Int { store.engine.devices[deviceIndex].account }
}
