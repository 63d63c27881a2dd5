public import Foundation
public import StoreManagerCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// How a receipt is sent to a server of one's own.
///
/// By default a POST of the form `receiptData=...&transactionIdentifier=...`, the receipt in base64.
///
/// ```swift
/// var request = ReceiptValidationRequest(address: URL(string: "https://example.com/receipts"))
/// request.encoding = .json
/// request.headers["Authorization"] = "Bearer \(token)"
/// ```
public struct ReceiptValidationRequest: Hashable, Sendable {
    /// Where the receipt is sent. Without an address nothing is, and verifying ends in ``ReceiptServerError/missingAddress``.
    public var address: URL?
    /// The request's method.
    public var method = Method.post
    /// The request's headers. `Content-Type` need not be given; it follows from the encoding.
    public var headers: [String: String] = [:]
    /// The form of the body.
    public var encoding = Encoding.form
    /// The name of the parameter that holds the receipt. It has no meaning where the body is ``Encoding/raw``.
    public var receiptName = "receiptData"
    /// The name of the parameter that holds the identifier of the transaction in question; nil leaves it out.
    ///
    /// A server does well to look for that transaction in the receipt: a receipt of last year is as genuine as ever, and proves
    /// nothing of what is bought today.
    public var transactionName: String? = "transactionIdentifier"
    /// Other parameters by name. One that is named as the receipt or the transaction gives way to it.
    public var parameters: [String: String] = [:]

    /// Makes a request to an address, all else as by default.
    public init(address: URL?) { self.address = address }

    /// A method of HTTP whose requests have a body.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        /// POST.
        case post = "POST"
        /// PUT.
        case put = "PUT"
        /// PATCH.
        case patch = "PATCH"
    }

    /// A form of the body.
    public enum Encoding: Hashable, Sendable, CaseIterable {
        /// The parameters as those of an HTML form (`application/x-www-form-urlencoded`), in the order of their names.
        case form
        /// The parameters as a JSON object of texts (`application/json`), in the order of their names.
        case json
        /// The receipt's own bytes (`application/octet-stream`); the other parameters are added to the address's query.
        case raw
    }

    /// Makes the request that carries a receipt.
    ///
    /// - Parameters:
    ///   - receipt: The receipt file as it is.
    ///   - transaction: The transaction in question; nil where the receipt itself is.
    /// - Throws: ``ReceiptServerError/missingAddress`` or ``AppReceiptError/receiptMissing``.
    public func urlRequest(for receipt: Data, transaction: StoreTransaction? = nil) throws -> URLRequest {
        guard let address else { throw ReceiptServerError.missingAddress }
        guard !receipt.isEmpty else { throw AppReceiptError.receiptMissing }
        var values = parameters
        if let transactionName, let transaction { values[transactionName] = transaction.id }
        if encoding != .raw { values[receiptName] = receipt.base64EncodedString() }

        var request = URLRequest(url: encoding == .raw ? address.adding(query: values.formEncoded) : address)
        request.httpMethod = method.rawValue
        switch encoding {
        case .form: request.httpBody = Data(values.formEncoded.utf8)
        case .json: request.httpBody = try values.jsonEncoded()
        case .raw: request.httpBody = receipt
        }
        request.setValue(encoding.contentType, forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}

extension ReceiptValidationRequest.Encoding {
    fileprivate var contentType: String {
        switch self {
        case .form: "application/x-www-form-urlencoded"
        case .json: "application/json"
        case .raw: "application/octet-stream"
        }
    }
}

extension [String: String] {
    /// Names and values as a form or a query has them: all but unreserved characters (RFC 3986, 2.3) percent-encoded.
    fileprivate var formEncoded: String {
        sorted { $0.key < $1.key }.map { "\($0.key.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    fileprivate func jsonEncoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

extension String {
    fileprivate var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension URL {
    /// This address with more in its query.
    fileprivate func adding(query: String) -> URL {
        guard !query.isEmpty, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return self
        }
        components.percentEncodedQuery = [components.percentEncodedQuery, query].compactMap { $0 }.joined(
            separator: "&")
        return components.url ?? self
    }
}
