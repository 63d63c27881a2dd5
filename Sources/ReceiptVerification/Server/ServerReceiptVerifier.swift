import Foundation
public import StoreManagerCore

/// Has a server of one's own check receipts.
///
/// ```swift
/// let request = ReceiptValidationRequest(address: URL(string: "https://example.com/receipts"))
/// manager.verifier = AppReceiptTransactionVerifier(ServerReceiptVerifier(request), receipt: ..., refresh: ...)
/// ```
public struct ServerReceiptVerifier: Sendable {
    /// Reads a server's answer about a transaction.
    ///
    /// It never gets an empty answer or one of a status from 500 on: these say nothing. What it throws says nothing either, save
    /// ``AppReceiptError/transactionMissing(identifier:)``, by which the receipt is refreshed and sent once more.
    public typealias Reader = @Sendable (HTTPAnswer, StoreTransaction) throws -> VerificationVerdict

    /// How receipts are sent.
    public var request: ReceiptValidationRequest
    /// Whether receipts may be sent to addresses that are not `https`. This very host always may be asked so.
    public var allowsPlainHTTP = false

    private let client: any HTTPClient
    private let reader: Reader

    /// Makes a verifier.
    ///
    /// - Parameter reader: Reads the server's answers; see ``standardReader`` for what it understands by default.
    public init(
        _ request: ReceiptValidationRequest, client: any HTTPClient = URLSessionClient(),
        reader: @escaping Reader = ServerReceiptVerifier.standardReader
    ) {
        self.request = request
        self.client = client
        self.reader = reader
    }

    /// Sends a receipt and reads the answer.
    ///
    /// - Throws: `.undecided` with a ``ReceiptServerError`` or the network's error where there is no answer that can be read, or
    ///   ``AppReceiptError/transactionMissing(identifier:)``, or `CancellationError`.
    func answer(about transaction: StoreTransaction, in receipt: Data) async throws -> VerificationVerdict {
        try await VerificationError.wrapServer {
            let request = try request.urlRequest(for: receipt, transaction: transaction)
            let answer = try await ReceiptTransport(client: client, allowsPlainHTTP: allowsPlainHTTP).send(request)
            return try reader(answer, transaction)
        }
    }
}

extension ServerReceiptVerifier {
    /// Reads answers of status 200 whose body is a JSON object of one of two forms.
    ///
    /// * The server's own word: `{"valid": true}` or `{"valid": false, "reason": "..."}`, `valid` being a truth value, no text and
    ///   no number. It is for the server to see that the receipt holds the transaction.
    /// * An answer of Apple's `verifyReceipt`, passed on: `{"status": 0, "receipt": {...}}`. The status means what it means at
    ///   Apple, and the transaction must be among the purchases; a `{"status": 0}` alone is the server's own word.
    ///
    /// All else cannot be read, and so decides nothing.
    public static let standardReader: Reader = { answer, transaction in
        guard answer.status == 200 else { throw ReceiptServerError.status(answer.status) }
        let word = try MalformedInput.wrapJSON(answer.body) {
            try JSONDecoder().decode(Word.self, from: answer.body)
        }
        if let isValid = word.valid {
            return isValid ? .valid : .invalid(reason: word.reason ?? "it gave no reason")
        }
        let response = try AppleReceiptResponse(data: answer.body)
        try response.checkStatus()
        if response.receipt != nil || !response.latestPurchases.isEmpty { try response.purchases.check(transaction) }
        return .valid
    }

    /// A server's own word.
    private struct Word: Decodable {
        let valid: Bool?
        let reason: String?
    }
}
