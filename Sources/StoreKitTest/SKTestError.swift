public import Foundation
import StoreSimulator

/// The domain of the errors of a test session.
public let SKTestErrorDomain: String = "SKTestErrorDomain"

/// Why a test session could not do what it was told.
public struct SKTestError: _BridgedStoredNSError, CustomNSError, Hashable, Sendable {
    /// The error as Foundation keeps it.
    public let _nsError: NSError

    /// Takes an error of the domain.
    public init(_nsError error: NSError) {
        precondition(
            error.domain == SKTestErrorDomain,
            "An SKTestError has the domain \(SKTestErrorDomain), not \(error.domain).")
        _nsError = error
    }

    /// The domain of the errors.
    public static var _nsErrorDomain: String { SKTestErrorDomain }

    /// The domain of the errors.
    public static var errorDomain: String { SKTestErrorDomain }

    /// Which error it is. Later systems may know more; Apple does not document the numbers.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error that has this code.
        public typealias _ErrorType = SKTestError

        /// The address is not that of a configuration.
        case invalidURL
        /// There is no such file.
        case fileNotFound
        /// There is nothing of this kind to act on now.
        case invalidAction
        /// The configuration has no such product.
        case invalidProductIdentifier
        /// The product is not of the kind that this can be done to.
        case invalidProductType
        /// Nobody subscribes to the product.
        case noSubscriptionFound
        /// There is no such transaction.
        case noTransactionFound
        /// The store of the session cannot be reached.
        case serviceUnavailable
    }

    init(_ code: Code, _ text: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: text]) }

    init(_ error: SimulatorError) {
        let code: Code =
            switch error {
            case .invalidAction, .unknownName: .invalidAction
            case .invalidProductIdentifier: .invalidProductIdentifier
            case .invalidProductType: .invalidProductType
            case .noSubscriptionFound: .noSubscriptionFound
            case .noTransactionFound: .noTransactionFound
            }
        self.init(code, error.description)
    }
}

extension SKTestError {
    /// ``Code/invalidURL``
    public static var invalidURL: Code { .invalidURL }
    /// ``Code/fileNotFound``
    public static var fileNotFound: Code { .fileNotFound }
    /// ``Code/invalidAction``
    public static var invalidAction: Code { .invalidAction }
    /// ``Code/invalidProductIdentifier``
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// ``Code/invalidProductType``
    public static var invalidProductType: Code { .invalidProductType }
    /// ``Code/noSubscriptionFound``
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// ``Code/noTransactionFound``
    public static var noTransactionFound: Code { .noTransactionFound }
    /// ``Code/serviceUnavailable``
    public static var serviceUnavailable: Code { .serviceUnavailable }
}
