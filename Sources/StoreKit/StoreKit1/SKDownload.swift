public import Foundation
import StoreManagerCore

// What changes is kept in a `Locked` value, because StoreKit moves the download on in one thread while the app reads in
// another; the class is not Sendable all the same, as Apple's is not.
/// Content that the store hosts for a purchase.
open class SKDownload: NSObject {
    private let content: Locked<StoreDownload>
    private let owner: SKPaymentTransaction

    /// An empty download.
    public override init() {
        content = Locked(StoreDownload(id: "", transactionID: ""))
        owner = SKPaymentTransaction()
    }

    init(_ download: StoreDownload, of transaction: SKPaymentTransaction) {
        content = Locked(download)
        owner = transaction
    }

    /// The download's newest word of the store.
    var latest: StoreDownload {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }

    /// Where it stands.
    open var state: SKDownloadState {
        switch latest.state {
        case .waiting: .waiting
        case .active: .active
        case .paused: .paused
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }

    /// Where it stands.
    open var downloadState: SKDownloadState { state }
    /// The size in bytes.
    open var expectedContentLength: Int64 { latest.expectedContentLength }
    /// The size in bytes.
    open var contentLength: Int64 { latest.expectedContentLength }
    /// The identifier of the content.
    open var contentIdentifier: String { latest.id }
    /// The version of the content.
    open var contentVersion: String { latest.contentVersion }
    /// Where the content lies, once it has finished.
    open var contentURL: URL? { latest.contentURL }
    /// Why it failed.
    open var error: (any Error)? {
        latest.failure.map { SKError(.unknown, userInfo: [NSLocalizedDescriptionKey: $0]) }
    }
    /// How much has arrived, from 0 to 1.
    open var progress: Float { Float(latest.progress) }
    /// Seconds until it has arrived, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval { latest.timeRemaining ?? SKDownloadTimeRemainingUnknown }
    /// The purchase that it belongs to.
    open var transaction: SKPaymentTransaction { owner }
}

/// Apple's says nothing, and so is not Sendable.
@available(*, unavailable)
extension SKDownload: @unchecked Sendable {}
