public import Foundation

/// Where a download stands.
@frozen public enum SKDownloadState: Int, Sendable {
    /// Not started, or queued.
    case waiting = 0
    /// Under way.
    case active = 1
    /// Stopped for now.
    case paused = 2
    /// Complete.
    case finished = 3
    /// Ended without the content.
    case failed = 4
    /// Given up.
    case cancelled = 5
}

// A global variable on Apple's systems, where naming it in Swift 6 is an error; nothing can be written to it here.
/// What ``SKDownload/timeRemaining`` says where nobody knows.
public var SKDownloadTimeRemainingUnknown: TimeInterval { -1 }
