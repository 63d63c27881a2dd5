public import Foundation

/// One purchase in an app receipt.
///
/// Apple lists non-consumables and subscriptions for ever, a consumable only until it is finished.
public struct InAppPurchase: Hashable, Sendable {
    /// How many were bought.
    public var quantity = 1
    /// The product.
    public var productIdentifier: String
    /// This transaction. Xcode's receipts count from "0".
    public var transactionIdentifier: String
    /// The transaction that this one renews or restores; nil in Xcode's receipts.
    public var originalTransactionIdentifier: String?
    /// When it was bought or renewed.
    public var purchaseDate: Date?
    /// When the original transaction was bought.
    public var originalPurchaseDate: Date?
    /// When the subscription ends or renews; nil where it is none.
    public var expirationDate: Date?
    /// When Apple took the purchase back; nil while it stands.
    public var cancellationDate: Date?
    /// Why Apple took it back, by Apple's number: 1 for trouble with the app, 0 for any other reason.
    public var cancellationReason: Int?
    /// The kind of the product.
    public var productType: ProductType?
    /// Apple's number of the renewal, for subscriptions; 0 for others.
    public var webOrderLineItemID: Int64?
    /// The App Store's number of the product; 0 in the sandbox.
    public var productAppleID: Int64?
    /// Whether it is a subscription's free trial.
    public var isTrialPeriod: Bool?
    /// Whether it is a subscription at its introductory price.
    public var isInIntroductoryOfferPeriod: Bool?
    /// The promotional offer that was redeemed.
    public var promotionalOfferIdentifier: String?

    // MARK: What receipts do not hold, and only Apple's server tells

    /// The name of the offer whose code was redeemed.
    public var offerCodeReferenceName: String?
    /// The group of the subscription.
    public var subscriptionGroupIdentifier: String?
    /// Whose purchase it is.
    public var ownershipType: InAppOwnershipType?
    /// Whether the subscriber moved up to a better plan; it counts as cancelled then.
    public var isUpgraded: Bool?
    /// The account token that the purchase was started with.
    public var appAccountToken: UUID?

    /// Where the purchase came from, for its other attributes.
    private var source: AttributeSource?

    /// Describes a purchase, for a receipt that is made for tests.
    public init(productIdentifier: String, transactionIdentifier: String, purchaseDate: Date?) {
        self.productIdentifier = productIdentifier
        self.transactionIdentifier = transactionIdentifier
        self.purchaseDate = purchaseDate
    }

    /// The attributes that no property stands for, as they came and in their order.
    public var otherAttributes: [ReceiptAttribute] {
        source?.attributes { Attribute(rawValue: $0) == nil } ?? []
    }

    /// Whether this is a subscription's term that covers a date: from its purchase on, up to but not including its end, and
    /// never once it was cancelled.
    public func isActiveSubscription(at date: Date) -> Bool {
        guard cancellationDate == nil, let purchaseDate, let expirationDate else { return false }
        return purchaseDate <= date && date < expirationDate
    }
}

extension InAppPurchase {
    /// The kind of a product, by Apple's number. Apple may add kinds, so the number is kept as it came.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// Apple's number.
        public var rawValue: Int
        /// Keeps Apple's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Bought once, owned for ever.
        public static let nonConsumable = ProductType(rawValue: 0)
        /// Used up, and bought again.
        public static let consumable = ProductType(rawValue: 1)
        /// A subscription that ends by itself.
        public static let nonRenewable = ProductType(rawValue: 2)
        /// A subscription that renews until it is cancelled.
        public static let autoRenewable = ProductType(rawValue: 3)
        /// A free subscription, of which only receipts of 2015 know.
        public static let freeSubscription = ProductType(rawValue: 4)
    }

    /// The numbers of the attributes that the properties stand for.
    enum Attribute: Int, CaseIterable {
        case quantity = 1701
        case productIdentifier = 1702
        case transactionIdentifier = 1703
        case purchaseDate = 1704
        case originalTransactionIdentifier = 1705
        case originalPurchaseDate = 1706
        case productType = 1707
        case expirationDate = 1708
        case productAppleID = 1710
        case webOrderLineItemID = 1711
        case cancellationDate = 1712
        case isTrialPeriod = 1713
        case isInIntroductoryOfferPeriod = 1719
        case cancellationReason = 1720
        case promotionalOfferIdentifier = 1721
    }

    /// Reads the SET that lies in a receipt's attribute 17.
    ///
    /// - Parameter previous: The purchase before it, whose texts are shared where they are the same: a long history has few.
    init(
        inAttribute value: Range<Int>, of bytes: Span<UInt8>, _ file: ContiguousArray<UInt8>,
        after previous: InAppPurchase?
    ) throws {
        let set = try bytes.element(inAttribute: value)
        guard set.tag == .set else { throw MalformedInput("a purchase must be SET, found \(set.tag)", at: set.start) }
        self.init(productIdentifier: "", transactionIdentifier: "", purchaseDate: nil)
        source = AttributeSource(bytes: file, range: set.content)
        var attributes = AttributeReader(set.content)
        while let attribute = try attributes.next(in: bytes) {
            guard let type = Attribute(rawValue: attribute.type) else { continue }
            try attributes.checkFirst(attribute, index: attribute.type - 1700)
            try read(type, attribute.value, of: bytes, after: previous)
        }
        guard !productIdentifier.isEmpty, !transactionIdentifier.isEmpty else {
            throw MalformedInput("a purchase has no product (1702) or no transaction (1703)", at: set.start)
        }
    }

    private mutating func read(
        _ type: Attribute, _ value: Range<Int>, of bytes: Span<UInt8>, after previous: InAppPurchase?
    ) throws {
        switch type {
        case .quantity: quantity = Int(clamping: try bytes.integer(inAttribute: value))
        case .productIdentifier:
            productIdentifier = try bytes.text(inAttribute: value, orSameAs: previous?.productIdentifier)
        case .transactionIdentifier: transactionIdentifier = try bytes.text(inAttribute: value)
        case .purchaseDate: purchaseDate = try bytes.date(inAttribute: value)
        case .originalTransactionIdentifier:
            originalTransactionIdentifier = try bytes.text(
                inAttribute: value, orSameAs: previous?.originalTransactionIdentifier)
        case .originalPurchaseDate: originalPurchaseDate = try bytes.date(inAttribute: value)
        case .expirationDate: expirationDate = try bytes.date(inAttribute: value)
        case .cancellationDate: cancellationDate = try bytes.date(inAttribute: value)
        case .webOrderLineItemID: webOrderLineItemID = try bytes.integer(inAttribute: value)
        case .isInIntroductoryOfferPeriod: isInIntroductoryOfferPeriod = try bytes.integer(inAttribute: value) != 0
        // Apple does not document these, so they may take another form one day; that must not cost anybody their purchase.
        case .productType:
            productType = (try? bytes.integer(inAttribute: value)).map { ProductType(rawValue: Int(clamping: $0)) }
        case .productAppleID: productAppleID = try? bytes.integer(inAttribute: value)
        case .isTrialPeriod: isTrialPeriod = (try? bytes.integer(inAttribute: value)).map { $0 != 0 }
        case .cancellationReason:
            cancellationReason = (try? bytes.integer(inAttribute: value)).map { Int(clamping: $0) }
        case .promotionalOfferIdentifier: promotionalOfferIdentifier = try? bytes.text(inAttribute: value)
        }
    }
}
