package import StoreManagerCore

/// A downloader that records `download 1`, waits at a gate where there is one, and fails as a test says.
package final class TestDownloader: ContentDownloader, Sendable {
    private let recorder: Recorder?
    private let gate: Gate?
    private let failure: @Sendable (StoreTransaction) -> (any Error)?

    package init(
        recorder: Recorder? = nil, gate: Gate? = nil,
        failure: @escaping @Sendable (StoreTransaction) -> (any Error)? = { _ in nil }
    ) {
        self.recorder = recorder
        self.gate = gate
        self.failure = failure
    }

    package func download(
        for transaction: StoreTransaction, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        recorder?.record("download \(transaction.id)")
        progress(0.5)
        await gate?.pass()
        if let error = failure(transaction) { throw error }
    }
}
