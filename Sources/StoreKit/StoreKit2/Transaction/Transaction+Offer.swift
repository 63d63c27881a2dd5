import StoreManagerCore

extension Transaction {
    /// The offer that was redeemed.
    public var offer: Offer? { source.offer.map { Offer($0, period: offerPeriod) } }
    /// For whom that offer is.
    public var offerType: OfferType? { offer?.type }
    /// The identifier of that offer.
    public var offerID: String? { offer?.id }
    /// How that offer is paid, as the store writes it.
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// How long one period of that offer lasts, as ISO 8601 writes it.
    public var offerPeriodStringRepresentation: String? { offerPeriod?.iso8601 }

    /// An offer that was redeemed.
    public struct Offer: Equatable, Hashable, Sendable {
        private let source: StoreRedeemedOffer
        private let length: StoreSubscriptionPeriod?

        init(_ offer: StoreRedeemedOffer, period: StoreSubscriptionPeriod?) {
            source = offer
            length = period
        }

        /// The offer's identifier; nil for an introductory offer.
        public var id: String? { source.type == .introductory ? nil : source.id }
        /// For whom it is.
        public var type: OfferType { OfferType(source.type) }
        /// How it is paid.
        public var paymentMode: PaymentMode? { source.paymentMode.map { PaymentMode($0) } }
        /// How long one of its periods lasts.
        public var period: Product.SubscriptionPeriod? { length.map { Product.SubscriptionPeriod($0) } }

        /// How an offer is paid. The set is open: any raw value is one.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            /// The store's name.
            public let rawValue: String
            /// Keeps the store's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Not at all.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// Each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// Once for all periods.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// Once, for something that does not renew.
            public static let oneTime = PaymentMode(rawValue: "ONE_TIME")

            init(_ mode: StoreOfferPaymentMode) {
                switch mode {
                case .freeTrial: self = .freeTrial
                case .payAsYouGo: self = .payAsYouGo
                case .payUpFront: self = .payUpFront
                case .oneTime: self = .oneTime
                }
            }
        }
    }

    /// For whom an offer is. The set is open: any raw value is one.
    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's number.
        public let rawValue: Int
        /// Keeps the store's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// New subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// Present and former subscribers, signed by the app's server.
        public static let promotional = OfferType(rawValue: 2)
        /// Whoever has an offer code.
        public static let code = OfferType(rawValue: 3)
        /// Former subscribers.
        public static let winBack = OfferType(rawValue: 4)

        init(_ type: StoreOfferType) {
            switch type {
            case .introductory: self = .introductory
            case .promotional: self = .promotional
            case .code: self = .code
            case .winBack: self = .winBack
            }
        }
    }
}
