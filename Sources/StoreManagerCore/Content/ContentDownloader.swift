/// Fetches what belongs to a purchase from the app's own server, after the ledger has the purchase and before it is handed
/// over.
public protocol ContentDownloader: Sendable {
    /// Fetches the content of a transaction. Called on no particular thread; called again, at the next launch or on
    /// `StoreManager.retryPendingVerifications()`, where it failed. The task is cancelled by
    /// `StoreManager.cancelContentDownload(of:)`, when the store takes the purchase back, and with the manager's end; throw
    /// then, whatever error.
    ///
    /// - Parameters:
    ///   - transaction: what was bought or restored.
    ///   - progress: to be called with the fraction completed, from 0 to 1, from any thread.
    /// - Throws: why the content could not be fetched; the request fails with it.
    func download(
        for transaction: StoreTransaction, progress: @escaping @Sendable (Double) -> Void
    ) async throws
}
