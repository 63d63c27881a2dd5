import StoreManagerCore

/// The status in an answer of Apple's `verifyReceipt` (https://developer.apple.com/documentation/appstorereceipts/status).
public struct AppleReceiptStatus: RawRepresentable, Hashable, Sendable {
    /// Apple's number.
    public var rawValue: Int
    /// Keeps Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The receipt is genuine; what it holds may have ended.
    public static let valid = AppleReceiptStatus(rawValue: 0)
    /// The request was no POST, or no JSON.
    public static let badRequest = AppleReceiptStatus(rawValue: 21000)
    /// The receipt is malformed, or the server had trouble for a moment: Apple does not tell which.
    public static let malformedOrTrouble = AppleReceiptStatus(rawValue: 21002)
    /// The receipt is not genuine.
    public static let notAuthenticated = AppleReceiptStatus(rawValue: 21003)
    /// The shared secret is not the account's.
    public static let wrongSharedSecret = AppleReceiptStatus(rawValue: 21004)
    /// The server is not available for a moment.
    public static let unavailable = AppleReceiptStatus(rawValue: 21005)
    /// The receipt is genuine and the subscription has ended. Only receipts in the style of iOS 6 get this status.
    public static let subscriptionExpired = AppleReceiptStatus(rawValue: 21006)
    /// The receipt is the sandbox's, and production was asked.
    public static let sandboxReceipt = AppleReceiptStatus(rawValue: 21007)
    /// The receipt is production's, and the sandbox was asked.
    public static let productionReceipt = AppleReceiptStatus(rawValue: 21008)
    /// The server could not read its own data.
    public static let internalError = AppleReceiptStatus(rawValue: 21009)
    /// The account was not found or was deleted: as if nothing was ever bought.
    public static let accountMissing = AppleReceiptStatus(rawValue: 21010)
    /// The server could not read its own data, which says nothing about the receipt; `is-retryable` tells whether that will pass.
    public static let internalErrors = 21100...21199
}

extension AppleReceiptStatus {
    /// What a status says about the receipt.
    enum Meaning: Hashable, Sendable {
        /// It is genuine.
        case genuine
        /// It is not, or never can be found to be.
        case refused
        /// Nothing.
        case undecided
        /// Nothing: the server of this environment is to be asked.
        case from(StoreEnvironment)
    }

    /// What this status says about the receipt.
    ///
    /// What is wrong with the request, the shared secret or the server is not the receipt's fault, and an unknown status decides
    /// nothing.
    var meaning: Meaning {
        switch self {
        case .valid, .subscriptionExpired: .genuine
        case .notAuthenticated, .accountMissing: .refused
        case .sandboxReceipt: .from(.sandbox)
        case .productionReceipt: .from(.production)
        default: .undecided
        }
    }
}

extension AppleReceiptStatus: CustomStringConvertible {
    /// The number, and what it stands for.
    public var description: String { "\(explanation) (\(rawValue))" }

    private var explanation: String {
        switch self {
        case .valid: "the receipt is valid"
        case .badRequest: "the request was not understood"
        case .malformedOrTrouble: "the receipt is malformed, or the server has trouble"
        case .notAuthenticated: "the receipt is not genuine"
        case .wrongSharedSecret: "the shared secret is wrong"
        case .unavailable: "the server is not available"
        case .subscriptionExpired: "the subscription has ended"
        case .sandboxReceipt: "the receipt is the sandbox's"
        case .productionReceipt: "the receipt is production's"
        case .accountMissing: "the account does not exist"
        case .internalError: "the server could not read its data"
        default: Self.internalErrors.contains(rawValue) ? "the server could not read its data" : "an unknown status"
        }
    }
}
