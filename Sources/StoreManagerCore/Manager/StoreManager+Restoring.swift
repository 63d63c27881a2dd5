extension StoreManager {
    // MARK: Restoring

    /// Restores what the user owns.
    ///
    /// Answered once, when every verdict, ledger entry and download is in. Restores of one user that overlap share one listing
    /// of the store. The store may ask the person to sign in, so restore only when the person asks for it.
    ///
    /// - Parameters:
    ///   - username: whose purchases, where the app tells its users apart; nil for all.
    ///   - onSuccess: what was restored, and what was not; see ``RestoreResult``. Nil: each restored transaction goes to the
    ///     default receiver. Always written out.
    ///   - onFailure: why the store could not restore; `.cancelled` where the person did not sign in.
    ///   - onVerify: asked about all restored transactions together. Nil: the verifier is asked, without one all are valid.
    /// - Returns: the token of the restore.
    @discardableResult
    public func restorePurchases(
        ofApplicationUsername username: String? = nil,
        onSuccess: (@MainActor (RestoreResult) -> Void)?,
        onFailure: (@MainActor (StoreError) -> Void)? = nil,
        onVerify: (@MainActor ([StoreTransaction]) -> Void)? = nil
    ) -> RequestToken {
        restorePurchases(
            ofApplicationUsername: username,
            handlers: RestoreHandlers(onSuccess: onSuccess, onFailure: onFailure, onVerify: onVerify))
    }

    /// Restores what the user owns, for a delegate, which is held weakly. Should it be gone by then the transactions go to the
    /// default receiver.
    @discardableResult
    public func restorePurchases(
        ofApplicationUsername username: String? = nil, delegate: any RestorationDelegate
    ) -> RequestToken {
        begin(username, receiver: .delegate(WeakRestorationDelegate(object: delegate)))
    }

    /// Restores what the user owns, with a set of closures.
    @discardableResult
    public func restorePurchases(
        ofApplicationUsername username: String? = nil, handlers: RestoreHandlers
    ) -> RequestToken {
        begin(username, receiver: .handlers(handlers))
    }

    // MARK: How it is done

    func begin(_ username: String?, receiver: RestoreReceiver) -> RequestToken {
        startObserving()
        let token = makeToken(.restore)
        if restores.begin(token, receiver: receiver, applicationUsername: username) {
            backend.restorePurchases(applicationUsername: username, for: token)
        }
        return token
    }

    func detachRestore(_ token: RequestToken) {
        restores.take(token)
        transactions.removeVerifiers(of: token)
    }
}
