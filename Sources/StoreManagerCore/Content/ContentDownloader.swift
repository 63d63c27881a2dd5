/// Who fetches the content of a purchase from the app's own server.
///
/// It is asked after the purchase was written down and before it is delivered, for each transaction once at a time. A purchase
/// whose download failed stays unfinished, and its download is asked for again later: what has arrived already may be kept.
public protocol ContentDownloader: Sendable {
    /// Fetches the content of a purchase and returns when all of it is there; at once where there is none. Called on no
    /// particular thread.
    ///
    /// - Parameter progress: to be told, any number of times and from any thread, what fraction is complete, from 0 to 1.
    /// - Throws: why the content could not be fetched; `CancellationError` when the task was cancelled, which the manager does
    ///   when the content is no longer wanted.
    func download(for transaction: StoreTransaction, progress: @escaping @Sendable (Double) -> Void) async throws
}
