public import Foundation

/// Why a server was not asked about a receipt, or gave no answer that counts.
///
/// None of these says anything about the receipt: it may be genuine, and is to be asked about again.
public enum ReceiptServerError: Error, Hashable, Sendable {
    /// There is no address to send it to.
    case missingAddress
    /// The address is not one that a receipt is sent to: it must be `https`, or `http` where that was allowed.
    case addressNotAllowed(URL)
    /// The server points to another host, scheme or port, to where receipts are not sent; nil where it does not tell to where.
    case redirectNotAllowed(to: String?)
    /// The server keeps pointing to other addresses.
    case tooManyRedirects
    /// The answer did not come, or did not end, in this many seconds.
    case timedOut(after: TimeInterval)
    /// The answer has more bytes than the limit.
    case answerTooLarge(limit: Int)
    /// The server answered with a status that is no success.
    case status(Int)
    /// The answer is empty.
    case emptyAnswer
    /// The answer cannot be read.
    case unreadableAnswer(MalformedInput)
    /// Apple's server did not decide, for the reason that its status stands for.
    case undecided(AppleReceiptStatus)
}

extension ReceiptServerError: CustomStringConvertible, LocalizedError {
    /// What went wrong, as a sentence.
    public var description: String {
        switch self {
        case .missingAddress: "There is no address to send the receipt to."
        case .addressNotAllowed(let url):
            // Without path and query, which may hold what is nobody's business.
            "Receipts are sent to https addresses, and \(url.scheme ?? "")://\(url.host() ?? "") is none."
        case .redirectNotAllowed(let location):
            "The server points to \(location ?? "nowhere"), and a receipt is sent to the host that it was meant for alone."
        case .tooManyRedirects: "The server keeps pointing to other addresses."
        case .timedOut(let seconds): "The server did not answer within \(seconds.formatted()) seconds."
        case .answerTooLarge(let limit): "The server's answer has more than \(limit) bytes."
        case .status(let status): "The server answered with status \(status)."
        case .emptyAnswer: "The server's answer is empty."
        case .unreadableAnswer(let problem): "The server's answer cannot be read: \(problem)."
        case .undecided(let status): "Apple's server did not decide: \(status)."
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
