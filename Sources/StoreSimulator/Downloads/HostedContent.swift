import Foundation
public import StoreManagerCore

/// Content that the store hosts for a product (StoreKit 1; deprecated by Apple since iOS 16).
public struct HostedContent: Hashable, Codable, Sendable, Identifiable {
    /// The identifier of the content.
    public var id: String
    /// The size in bytes.
    public var length: Int64
    /// The version.
    public var version: String
    /// How many bytes arrive in a second of the clock.
    public var bytesPerSecond: Double
    /// How far it gets before it fails, from 0 to 1; nil is to the end.
    public var failsAt: Double?

    /// Makes content that takes ten seconds.
    public init(
        id: String, length: Int64 = 10_000_000, version: String = "1.0", bytesPerSecond: Double = 1_000_000,
        failsAt: Double? = nil
    ) {
        self.id = id
        self.length = length
        self.version = version
        self.bytesPerSecond = bytesPerSecond
        self.failsAt = failsAt
    }

    /// How much of it arrives in a second, from 0 to 1.
    var rate: Double { length > 0 && bytesPerSecond > 0 ? bytesPerSecond / Double(length) : 1 }
}

/// A download that was started once.
struct RunningDownload: Codable, Sendable {
    var content: HostedContent
    /// The device that hears of it.
    var device: Int
    var state: StoreDownload.State
    /// How much had arrived, from 0 to 1, at the date.
    var progress: Double
    var date: Date

    /// How much has arrived by a date.
    func progress(at now: Date) -> Double {
        guard state == .active else { return progress }
        return min(progress + max(0, now.timeIntervalSince(date)) * content.rate, content.failsAt ?? 1, 1)
    }

    /// When the next tenth has arrived, or all that will.
    var nextStep: Date {
        let target = min((progress * 10 + 1e-6).rounded(.down) / 10 + 0.1, content.failsAt ?? 1, 1)
        return date + max(0, target - progress) / content.rate
    }
}

/// A download's place: its transaction and its content.
struct DownloadKey: Hashable, Codable, Sendable {
    var transaction: UInt64
    var content: String
}

/// A key of what is written down, such as `3/level-2`.
extension DownloadKey: CodingKeyRepresentable {
    var codingKey: any CodingKey { TextKey(stringValue: "\(transaction)/\(content)") }

    init?(codingKey: some CodingKey) {
        let parts = codingKey.stringValue.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let transaction = UInt64(parts[0]) else { return nil }
        self.init(transaction: transaction, content: String(parts[1]))
    }

    private struct TextKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// Written down with the actions of a store.
extension StoreDownloadCommand: Codable {}
