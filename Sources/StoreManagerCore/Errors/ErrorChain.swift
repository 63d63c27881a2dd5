import Foundation

extension Error {
    /// Whether this error, or one that lies beneath it, says that somebody cancelled.
    package var isStoreCancellation: Bool {
        chain.contains { ErrorCode.cancellations.contains(ErrorCode($0)) }
    }

    /// Whether this error, or one that lies beneath it, says that the network failed.
    package var isStoreNetworkFailure: Bool {
        chain.contains { $0.domain == NSURLErrorDomain || ErrorCode($0) == ErrorCode.cloudConnectionFailed }
    }

    /// The error and all that lie beneath it, each before its own causes. A chain that runs in circles ends at `limit`.
    private var chain: [NSError] {
        let limit = 64
        var found: [NSError] = []
        var next = [self as NSError]
        while let error = next.popLast(), found.count < limit {
            found.append(error)
            if let several = error.userInfo["NSMultipleUnderlyingErrorsKey"] as? [any Error] {
                next.append(contentsOf: several.reversed().map { $0 as NSError })
            }
            if let one = error.userInfo[NSUnderlyingErrorKey] as? any Error { next.append(one as NSError) }
        }
        return found
    }
}

/// A domain and a code: only both together mean anything.
private struct ErrorCode: Hashable {
    var domain: String
    var code: Int

    init(domain: String, code: Int) {
        self.domain = domain
        self.code = code
    }

    init(_ error: NSError) { self.init(domain: error.domain, code: error.code) }

    /// StoreKit's `paymentCancelled`, a cancelled transfer, a cancelled user interface, and our own.
    static let cancellations: Set<ErrorCode> = [
        ErrorCode(domain: "SKErrorDomain", code: 2),
        ErrorCode(domain: NSURLErrorDomain, code: NSURLErrorCancelled),
        ErrorCode(domain: NSCocoaErrorDomain, code: 3072),
        ErrorCode(domain: StoreError.errorDomain, code: StoreError.cancelled().errorCode),
    ]

    /// StoreKit's `cloudServiceNetworkConnectionFailed`.
    static let cloudConnectionFailed = ErrorCode(domain: "SKErrorDomain", code: 7)
}
