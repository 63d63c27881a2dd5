import Foundation
import StoreKit
import StoreManagerCore

// Apple deprecated hosted content in iOS 16, macOS 13, tvOS 16 and watchOS 9; it is the only part of StoreKit 1 that was
// deprecated before the systems that this package supports. Whatever names it is marked deprecated itself, where the compiler
// does not warn, and the rest of the module reaches it through a protocol that is not: a deprecated member may meet its
// requirement without a warning. So everything else goes on to be warned of. Tried with the compiler, but not against Apple's
// own interface.

/// A transaction that may have content which the store hosts.
protocol ContentHosting {
    /// The content, with where each download of it stands.
    var hostedContent: [StoreDownload] { get }

    /// Carries a command out on those of these downloads that the transaction has, and returns which they are.
    func perform(
        _ command: StoreDownloadCommand, onContent ids: Set<StoreDownload.ID>, in queue: SKPaymentQueue
    ) -> Set<StoreDownload.ID>
}

extension SKPaymentTransaction: ContentHosting {
    /// The transaction as one that hosts content: by this way nothing deprecated is named.
    var hosting: any ContentHosting { self }
}

#if os(visionOS)
// Has no hosted content. Not built for it here.
extension SKPaymentTransaction {
    var hostedContent: [StoreDownload] { [] }

    func perform(
        _ command: StoreDownloadCommand, onContent ids: Set<StoreDownload.ID>, in queue: SKPaymentQueue
    ) -> Set<StoreDownload.ID> { [] }
}
#else
extension SKPaymentTransaction {
    @available(iOS, deprecated: 16)
    @available(macOS, deprecated: 13)
    @available(tvOS, deprecated: 16)
    @available(watchOS, deprecated: 9)
    var hostedContent: [StoreDownload] { downloads.map { StoreDownload($0) } }

    @available(iOS, deprecated: 16)
    @available(macOS, deprecated: 13)
    @available(tvOS, deprecated: 16)
    @available(watchOS, deprecated: 9)
    func perform(
        _ command: StoreDownloadCommand, onContent ids: Set<StoreDownload.ID>, in queue: SKPaymentQueue
    ) -> Set<StoreDownload.ID> {
        let chosen = downloads.filter { ids.contains($0.contentIdentifier) }
        guard !chosen.isEmpty else { return [] }
        switch command {
        case .start: queue.start(chosen)
        case .pause: queue.pause(chosen)
        case .resume: queue.resume(chosen)
        case .cancel: queue.cancel(chosen)
        }
        return Set(chosen.map(\.contentIdentifier))
    }
}

extension StoreDownload {
    /// A download in the words of the package.
    @available(iOS, deprecated: 16)
    @available(macOS, deprecated: 13)
    @available(tvOS, deprecated: 16)
    @available(watchOS, deprecated: 9)
    init(_ download: SKDownload) {
        self.init(
            id: download.contentIdentifier, transactionID: download.transaction.transactionIdentifier ?? "",
            state: State(download.state), progress: Double(download.progress),
            expectedContentLength: download.expectedContentLength, contentVersion: download.contentVersion)
        contentURL = download.contentURL
        // StoreKit says that it does not know by a negative number, in a global variable that Swift 6 lets nobody read.
        timeRemaining = download.timeRemaining >= 0 ? download.timeRemaining : nil
        failure = download.error?.localizedDescription
    }
}

extension StoreDownload.State {
    @available(iOS, deprecated: 16)
    @available(macOS, deprecated: 13)
    @available(tvOS, deprecated: 16)
    @available(watchOS, deprecated: 9)
    fileprivate init(_ state: SKDownloadState) {
        switch state {
        case .waiting: self = .waiting
        case .active: self = .active
        case .paused: self = .paused
        case .finished: self = .finished
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        @unknown default: self = .waiting
        }
    }
}
#endif
