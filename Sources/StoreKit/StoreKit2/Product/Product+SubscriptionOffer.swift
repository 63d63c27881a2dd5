public import Foundation
import StoreManagerCore

extension Product {
    /// A reduced price for the first periods of a subscription.
    public struct SubscriptionOffer: Equatable, Hashable, Sendable {
        let source: StoreOffer

        /// The offer's identifier; nil only for an introductory offer.
        public var id: String? { source.type == .introductory ? nil : source.id }
        /// For whom it is.
        public var type: OfferType { OfferType(source.type) }
        /// The price of one period, or of the whole where it is paid up front.
        public var price: Decimal { source.price }
        /// The price as the store writes it.
        public var displayPrice: String { source.displayPrice ?? "" }
        /// How long one of its periods lasts.
        public var period: SubscriptionPeriod { SubscriptionPeriod(source.period) }
        /// How many periods it runs; 1 unless it is paid as you go.
        public var periodCount: Int { source.periodCount }
        /// How it is paid.
        public var paymentMode: PaymentMode { PaymentMode(source.paymentMode) }

        /// For whom an offer is. The set is open: any raw value is one.
        public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
            /// The store's name.
            public let rawValue: String
            /// Keeps the store's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// New subscribers.
            public static let introductory = OfferType(rawValue: "introductory")
            /// Present and former subscribers, signed by the app's server.
            public static let promotional = OfferType(rawValue: "promotional")
            /// Former subscribers.
            public static let winBack = OfferType(rawValue: "winBack")

            init(_ type: StoreOfferType) { self.init(rawValue: type.rawValue) }
        }

        /// How an offer is paid. The set is open: any raw value is one.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            /// The store's name.
            public let rawValue: String
            /// Keeps the store's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Each period.
            public static let payAsYouGo = PaymentMode(rawValue: "payAsYouGo")
            /// Once for all periods.
            public static let payUpFront = PaymentMode(rawValue: "payUpFront")
            /// Not at all.
            public static let freeTrial = PaymentMode(rawValue: "freeTrial")

            init(_ mode: StoreOfferPaymentMode) { self.init(rawValue: mode.rawValue) }
        }

        /// The signature of the app's server for a promotional offer.
        public struct Signature: Equatable, Hashable, Sendable {
            /// The identifier of the key that signed.
            public let keyID: String
            /// The value that makes the signature usable once.
            public let nonce: UUID
            /// When it was signed, in milliseconds since 1970.
            public let timestamp: Int
            /// The signature.
            public let signature: Data

            /// A signature.
            public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
                self.keyID = keyID
                self.nonce = nonce
                self.timestamp = timestamp
                self.signature = signature
            }
        }
    }
}
