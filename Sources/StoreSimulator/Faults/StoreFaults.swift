public import Foundation

/// The ways on which the store's answers reach an app.
public enum StoreInterface: String, Hashable, Codable, Sendable, CaseIterable {
    /// Answers to fetches.
    case products
    /// Answers to payments.
    case purchase
    /// Answers to restores.
    case restore
    /// Transactions that nobody asked for.
    case updates
    /// Answers to `finish`.
    case finish
    /// Answers to readings of the current entitlements.
    case entitlements
    /// Answers to refreshes of the receipt.
    case receipt
    /// Changes of the storefront.
    case storefront
    /// Purchases begun in the store.
    case intents
    /// Progress of downloads.
    case downloads
}

/// Keys of what is written down, in the order of their names.
extension StoreInterface: CodingKeyRepresentable {}

/// How answers go astray, for each interface by choice. A store without faults reports everything once, in order, at once.
public struct StoreFaults: Hashable, Codable, Sendable {
    private var byInterface: [StoreInterface: StoreFault] = [:]

    /// No faults.
    public init() {}

    /// The same fault on every interface.
    public init(everywhere fault: StoreFault) {
        for interface in StoreInterface.allCases { self[interface] = fault }
    }

    /// The fault of one interface.
    public subscript(interface: StoreInterface) -> StoreFault {
        get { byInterface[interface] ?? StoreFault() }
        set { byInterface[interface] = newValue == StoreFault() ? nil : newValue }
    }

    /// Whether the answers of any interface come in any order.
    var hasReordering: Bool { byInterface.values.contains(where: \.isReordered) }
}

/// How the answers of one interface go astray. Chance is the seed's.
public struct StoreFault: Hashable, Codable, Sendable {
    /// Whether the store cannot be reached: requests fail with a network error; what nobody asked for comes later, when this
    /// is off again. A `finish` is kept and done then.
    public var isOffline = false
    /// How long an answer takes, in seconds of the clock.
    public var delay: ClosedRange<TimeInterval> = 0...0
    /// How likely an answer comes twice, from 0 to 1.
    public var duplication: Double = 0
    /// How likely an answer never comes, from 0 to 1. A transaction so lost comes back at the next launch.
    public var loss: Double = 0
    /// Whether answers come in any order. Those to one request stay in theirs.
    public var isReordered = false
    /// Whether answers are kept back until this is off again.
    public var isHeld = false

    /// No fault.
    public init() {}
}
