public import Foundation

/// Why the state of a store could not be saved or read. Each case names the file.
public enum StoreStateError: Error, Sendable {
    /// The file is not as it was written, for the reason given; nothing of it was used.
    case damaged(file: String, reason: String)
    /// The file was written by a later version of the package.
    case newerFormat(file: String, format: Int, supported: Int)
    /// The file could not be read.
    case unreadable(file: String, underlying: any Error)
    /// The file could not be written.
    case unwritable(file: String, underlying: any Error)
}

extension StoreStateError: LocalizedError, CustomStringConvertible {
    /// What went wrong, and where.
    public var description: String {
        switch self {
        case .damaged(let file, let reason): "The saved store in \(file) is damaged: \(reason)."
        case .newerFormat(let file, let format, let supported):
            "The saved store in \(file) has format \(format); this version reads up to format \(supported)."
        case .unreadable(let file, let error): "The saved store in \(file) could not be read: \(error)"
        case .unwritable(let file, let error): "The store could not be saved in \(file): \(error)"
        }
    }

    /// The same text.
    public var errorDescription: String? { description }
}
