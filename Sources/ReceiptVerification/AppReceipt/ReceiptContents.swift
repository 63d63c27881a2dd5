public import Foundation
public import StoreManagerCore

/// What an app receipt says.
///
/// Every property may be nil, since Apple leaves attributes out; ``AppReceiptVerifier`` tells which ones it needs.
public struct ReceiptContents: Hashable, Sendable {
    /// The environment by the receipt's own name for it, such as `ProductionSandbox`; see ``environment``.
    public var receiptType: String?
    /// The App Store's number of the app; 0 in the sandbox.
    public var appAppleID: Int64?
    /// The app's bundle identifier.
    public var bundleIdentifier: String?
    /// The version of the app: `CFBundleVersion` on iOS, `CFBundleShortVersionString` on macOS.
    public var applicationVersion: String?
    /// Octets of no meaning, which make each ``deviceHash`` another.
    public var opaqueValue: Data?
    /// The SHA-1 hash that binds the receipt to a device.
    public var deviceHash: Data?
    /// When Apple made this receipt.
    public var creationDate: Date?
    /// The purchases, in no particular order.
    public var purchases: [InAppPurchase] = []
    /// When the app was first bought. The sandbox always says 2013-08-01.
    public var originalPurchaseDate: Date?
    /// The version of the app that was first bought. The sandbox always says "1.0".
    public var originalApplicationVersion: String?
    /// When the receipt's term ends; only volume purchases have one.
    public var expirationDate: Date?
    /// When the app was ordered before it was released.
    public var preorderDate: Date?
    /// The number of this download; 0 in the sandbox.
    public var downloadID: Int64?
    /// The App Store's number of the app's version; 0 in the sandbox.
    public var versionExternalIdentifier: Int64?
    /// The age rating, such as "4+".
    public var ageRating: String?
    /// The octets of the bundle identifier's attribute, tag and length included, which are part of what is hashed for
    /// ``deviceHash``.
    public var bundleIdentifierData: Data?

    private var source: AttributeSource?

    /// Describes a receipt, for one that is made for tests.
    public init() {}

    /// The environment that the receipt is from; nil where it does not tell. Volume purchases are of their environment.
    public var environment: StoreEnvironment? { receiptType.map(StoreEnvironment.init(receiptType:)) }

    /// The attributes that no property stands for, as they came and in their order.
    public var otherAttributes: [ReceiptAttribute] {
        source?.attributes { $0 != Self.purchaseType && Attribute(rawValue: $0) == nil } ?? []
    }
}

extension StoreEnvironment {
    /// The environment by the name that receipts and app transactions have for it.
    init(receiptType: String) {
        self =
            switch receiptType {
            case "ProductionVPP": .production
            case "ProductionSandbox", "ProductionVPPSandbox": .sandbox
            case let name: StoreEnvironment(rawValue: name)
            }
    }
}

extension ReceiptContents {
    /// Whether the product was ever bought and not taken back.
    public func containsPurchase(of productIdentifier: String) -> Bool {
        purchases.contains { $0.productIdentifier == productIdentifier && $0.cancellationDate == nil }
    }

    /// The purchase with a transaction's identifier; nil where the receipt has none.
    public func purchase(withTransactionIdentifier identifier: String) -> InAppPurchase? {
        purchases.first { $0.transactionIdentifier == identifier }
    }

    /// Whether a term of the subscription covers a date: from its purchase on, up to but not including its end. Cancelled terms
    /// do not count. A receipt knows nothing of grace periods.
    public func hasActiveSubscription(to productIdentifier: String, at date: Date) -> Bool {
        purchases.contains { $0.productIdentifier == productIdentifier && $0.isActiveSubscription(at: date) }
    }

    /// The latest purchase of a product: of a subscription the term that ends last, else the one bought last.
    public func latestPurchase(of productIdentifier: String) -> InAppPurchase? {
        purchases.filter { $0.productIdentifier == productIdentifier }
            .max {
                ($0.expirationDate ?? .distantPast, $0.purchaseDate ?? .distantPast)
                    < ($1.expirationDate ?? .distantPast, $1.purchaseDate ?? .distantPast)
            }
    }
}

extension ReceiptContents {
    /// The type of the attributes that hold a purchase each.
    static let purchaseType = 17

    /// The numbers of the attributes that the properties stand for.
    enum Attribute: Int, CaseIterable {
        case receiptType = 0
        case appAppleID = 1
        case bundleIdentifier = 2
        case applicationVersion = 3
        case opaqueValue = 4
        case deviceHash = 5
        case ageRating = 10
        case creationDate = 12
        case downloadID = 15
        case versionExternalIdentifier = 16
        case originalPurchaseDate = 18
        case originalApplicationVersion = 19
        case expirationDate = 21
        case preorderDate = 32
    }

    /// Reads the SET that is a receipt's content.
    init(_ content: SignedContainer.Content) throws {
        let bytes = content.bytes.span
        var reader = ASN1Reader(content.range, rules: .basic)
        let set = try reader.read(.set, "a receipt's content", from: bytes)
        try reader.finish("a receipt's content")
        source = AttributeSource(bytes: content.bytes, range: set.content)
        var attributes = AttributeReader(set.content)
        while let attribute = try attributes.next(in: bytes) {
            if attribute.type == Self.purchaseType {
                // Purchases are of much the same length; Apple's take some 400 bytes each.
                if purchases.isEmpty { purchases.reserveCapacity(set.content.count / max(200, attribute.value.count)) }
                purchases.append(
                    try InAppPurchase(inAttribute: attribute.value, of: bytes, content.bytes, after: purchases.last))
            } else if let type = Attribute(rawValue: attribute.type) {
                try attributes.checkFirst(attribute, index: attribute.type)
                try read(type, attribute.value, of: bytes)
            }
        }
    }

    private mutating func read(_ type: Attribute, _ value: Range<Int>, of bytes: Span<UInt8>) throws {
        switch type {
        case .bundleIdentifier:
            bundleIdentifier = try bytes.text(inAttribute: value)
            bundleIdentifierData = bytes.data(value)
        case .applicationVersion: applicationVersion = try bytes.text(inAttribute: value)
        case .opaqueValue: opaqueValue = bytes.data(value)
        case .deviceHash: deviceHash = bytes.data(value)
        case .creationDate: creationDate = try bytes.date(inAttribute: value)
        case .originalApplicationVersion: originalApplicationVersion = try bytes.text(inAttribute: value)
        case .expirationDate: expirationDate = try bytes.date(inAttribute: value)
        // What follows has a rule of its own in the verifier.
        case .receiptType: receiptType = try bytes.text(inAttribute: value)
        case .appAppleID: appAppleID = try bytes.integer(inAttribute: value)
        // Apple does not document these, so they may take another form one day; that must not cost anybody their purchases.
        case .ageRating: ageRating = try? bytes.text(inAttribute: value)
        case .downloadID: downloadID = try? bytes.integer(inAttribute: value)
        case .versionExternalIdentifier: versionExternalIdentifier = try? bytes.integer(inAttribute: value)
        case .originalPurchaseDate: originalPurchaseDate = try? bytes.date(inAttribute: value)
        case .preorderDate: preorderDate = try? bytes.date(inAttribute: value)
        }
    }
}
