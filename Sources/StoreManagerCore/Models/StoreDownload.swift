public import Foundation

/// Content that the store hosts for a purchase (StoreKit 1; deprecated by Apple since iOS 16).
public struct StoreDownload: Hashable, Codable, Sendable, Identifiable {
    /// Where a download stands.
    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        /// Not started, or queued.
        case waiting
        /// Under way.
        case active
        /// Stopped for now.
        case paused
        /// Complete.
        case finished
        /// Ended without the content.
        case failed
        /// Given up by the app or the person.
        case cancelled

        /// Whether nothing more will happen.
        public var hasEnded: Bool { self == .finished || self == .failed || self == .cancelled }
    }

    /// The identifier of the content, unique within its transaction.
    public var id: String
    /// The transaction that the content belongs to.
    public var transactionID: StoreTransaction.ID
    /// Where it stands.
    public var state: State
    /// How much has arrived, from 0 to 1.
    public var progress: Double
    /// The size in bytes.
    public var expectedContentLength: Int64
    /// The version of the content.
    public var contentVersion: String
    /// Where the content lies, once it has finished.
    public var contentURL: URL?
    /// Seconds until it has arrived; nil where unknown.
    public var timeRemaining: TimeInterval?
    /// Why it failed.
    public var failure: String?

    /// Makes a download that waits.
    public init(
        id: String, transactionID: StoreTransaction.ID, state: State = .waiting, progress: Double = 0,
        expectedContentLength: Int64 = 0, contentVersion: String = ""
    ) {
        self.id = id
        self.transactionID = transactionID
        self.state = state
        self.progress = progress
        self.expectedContentLength = expectedContentLength
        self.contentVersion = contentVersion
    }
}

/// What can be asked of downloads that the store hosts.
public enum StoreDownloadCommand: String, Hashable, Sendable, CaseIterable {
    /// Begin.
    case start
    /// Stop for now.
    case pause
    /// Go on.
    case resume
    /// Give up.
    case cancel
}
