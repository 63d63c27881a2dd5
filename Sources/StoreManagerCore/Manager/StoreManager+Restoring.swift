import Foundation

extension StoreManager {
    // MARK: Restoring

    /// Restores what the user owns.
    ///
    /// Answered once, when every verdict, ledger entry and download is in. Restores of one user that overlap share one listing
    /// of the store, and its time limit (``restoreTimeout``). The store may ask the person to sign in, so restore only when the
    /// person asks for it.
    ///
    /// - Parameters:
    ///   - username: whose purchases, where the app tells its users apart; nil for all.
    ///   - onSuccess: what was restored, and what was not; see ``RestoreResult``. Nil: each restored transaction goes to the
    ///     default receiver. Always written out.
    ///   - onFailure: why the store could not restore; `.cancelled` where the person did not sign in, `.timedOut` where
    ///     the store said nothing for too long.
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
        if restores.begin(token, receiver: receiver, applicationUsername: username, at: clock.now) {
            startSilenceTimer(of: token)
            backend.restorePurchases(applicationUsername: username, for: token)
        }
        return token
    }

    /// Takes a restore's handlers away. Where nobody waits for the list any more, nothing else waits for it either.
    func detachRestore(_ token: RequestToken) {
        restores.take(token)
        transactions.removeVerifiers(of: token)
        post(.perform { $0.receiveHeld() })
    }

    /// Has a listing of which the store says nothing for too long end as a failure. What it lists later belongs to nobody.
    private func startSilenceTimer(of listing: RequestToken, heardAt lastWord: Date? = nil) {
        let timeout = restoreTimeout
        let silence = lastWord.map { clock.now.timeIntervalSince($0) } ?? 0
        startTimer(after: timeout - silence) { manager in
            guard let lastWord = manager.restores.lastWord(in: listing) else { return }
            if manager.clock.now.timeIntervalSince(lastWord) < timeout {
                manager.startSilenceTimer(of: listing, heardAt: lastWord)
            } else {
                manager.receiveRestoreFailure(.timedOut(after: timeout), of: listing)
            }
        }
    }
}
