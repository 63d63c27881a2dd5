public import Foundation
public import StoreManagerCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks Apple's `verifyReceipt` about app receipts, of the kind with a container as well as of iOS 6's.
///
/// Production is asked first, and the sandbox where production says that the receipt is the sandbox's: so an app under review,
/// whose testers buy in the sandbox, works. Apple has deprecated the service in favour of signed transactions, and asks that it
/// is used from a server: whoever controls a device can make it take any server for Apple's, and find the shared secret.
public struct AppleReceiptValidator: Sendable {
    /// The app's bundle identifier, which the receipt must be for; nil skips the check, and then a receipt for any app will do.
    public var bundleIdentifier: String?
    /// The account's shared secret, which Apple demands for receipts with subscriptions.
    public var sharedSecret: String?
    /// Whether Apple leaves out all transactions of a subscription but the newest. Restored or renewed transactions are then not
    /// found any more where a newer one exists.
    public var excludesOldTransactions = false
    /// The environments that receipts may come from: production, the sandbox or both. The first one is asked first.
    public var environments: [StoreEnvironment] = [.production, .sandbox]
    /// Where receipts from production are sent.
    public var productionAddress = URL(string: "https://buy.itunes.apple.com/verifyReceipt")
    /// Where receipts from the sandbox are sent.
    public var sandboxAddress = URL(string: "https://sandbox.itunes.apple.com/verifyReceipt")
    /// Whether receipts may be sent to addresses that are not `https`. This very host always may be asked so.
    public var allowsPlainHTTP = false

    private let client: any HTTPClient

    /// Makes a validator.
    public init(bundleIdentifier: String?, sharedSecret: String? = nil, client: any HTTPClient = URLSessionClient()) {
        self.bundleIdentifier = bundleIdentifier
        self.sharedSecret = sharedSecret
        self.client = client
    }

    /// Asks Apple about a receipt. At most one other server is asked than the first, and its answer counts; a server that says
    /// 21002, which may be a moment's trouble, is asked once more.
    ///
    /// - Parameter receipt: The receipt file as it is.
    /// - Returns: The answer, of status 0 or, for a receipt in the style of iOS 6 whose subscription has ended, 21006.
    /// - Throws: ``VerificationError/refused(_:)`` where the receipt is not genuine or not for this app,
    ///   ``VerificationError/undecided(_:)`` with a ``ReceiptServerError`` or the network's error where nobody can tell, or
    ///   `CancellationError`.
    public func validate(_ receipt: Data) async throws -> AppleReceiptResponse {
        try await VerificationError.wrapServer {
            let first = environments.first ?? .production
            var response = try await ask(first, about: receipt)
            if case .from(let other) = response.status.meaning {
                guard environments.contains(other) else { throw Refusal.environmentNotAccepted(other) }
                response = try await ask(other, about: receipt)
            }
            // Receipts of iOS 6 are decoded by Apple alone.
            if response.status == .malformedOrTrouble, !AppReceipt.isTransactionReceipt(receipt),
                (try? AppReceipt(data: receipt)) == nil
            {
                throw Refusal.refusedByServer(reason: response.status.description)
            }
            try response.checkStatus()
            try response.checkReceipt(bundleIdentifier: bundleIdentifier)
            return response
        }
    }

    private func ask(_ environment: StoreEnvironment, about receipt: Data) async throws -> AppleReceiptResponse {
        let request = try request(to: environment, about: receipt)
        let response = try await send(request)
        return response.status == .malformedOrTrouble ? try await send(request) : response
    }

    private func send(_ request: URLRequest) async throws -> AppleReceiptResponse {
        let answer = try await ReceiptTransport(client: client, allowsPlainHTTP: allowsPlainHTTP).send(request)
        guard answer.status == 200 else { throw ReceiptServerError.status(answer.status) }
        return try AppleReceiptResponse(data: answer.body)
    }

    private func request(to environment: StoreEnvironment, about receipt: Data) throws -> URLRequest {
        guard let address = environment == .sandbox ? sandboxAddress : productionAddress else {
            throw ReceiptServerError.missingAddress
        }
        guard !receipt.isEmpty else { throw AppReceiptError.receiptMissing }
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        request.httpBody = try encoder.encode(
            Body(receipt: receipt, password: sharedSecret, excludesOldTransactions: excludesOldTransactions))
        return request
    }

    /// What Apple is sent (https://developer.apple.com/documentation/appstorereceipts/requestbody).
    private struct Body: Encodable {
        let receipt: Data
        let password: String?
        let excludesOldTransactions: Bool

        enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
            case password
            case excludesOldTransactions = "exclude-old-transactions"
        }
    }
}

extension AppleReceiptResponse {
    /// Makes sure that Apple found the receipt genuine.
    func checkStatus() throws {
        switch status.meaning {
        case .genuine: break
        case .refused: throw Refusal.refusedByServer(reason: status.description)
        case .undecided, .from: throw ReceiptServerError.undecided(status)
        }
    }

    /// Makes sure that the receipt is there, and that it is for this app.
    fileprivate func checkReceipt(bundleIdentifier: String?) throws {
        guard let receipt else {
            throw MalformedInput("receipt: a genuine receipt must come with what it holds", at: 0)
        }
        if let bundleIdentifier, receipt.bundleIdentifier != bundleIdentifier {
            throw Refusal.bundleIdentifierMismatch(found: receipt.bundleIdentifier, expected: bundleIdentifier)
        }
    }
}

extension VerificationError {
    /// Asks a server, and turns what that throws into a verification error. What cannot be read is the answer, not the receipt:
    /// nobody can tell then.
    static func wrapServer<Value: Sendable>(_ ask: () async throws -> Value) async throws -> Value {
        do {
            return try await ask()
        } catch let refusal as Refusal {
            throw VerificationError.refused(refusal)
        } catch let problem as MalformedInput {
            throw VerificationError.undecided(ReceiptServerError.unreadableAnswer(problem))
        } catch let error where error is AppReceiptError || error is VerificationError || error is CancellationError {
            throw error
        } catch {
            throw VerificationError.undecided(error)
        }
    }
}
