import Foundation
import StoreManagerCore
import Testing

/// What errors mean, found in their chains.
struct StoreErrorTests {
    /// An error that wraps others, as many wrappers as there are numbers.
    static func wrapped(_ error: NSError, times: Int) -> NSError {
        (0..<times).reduce(error) { inner, number in
            NSError(domain: "Wrapper", code: number, userInfo: [NSUnderlyingErrorKey: inner])
        }
    }

    static let cancellations = [
        NSError(domain: "SKErrorDomain", code: 2), NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled),
        NSError(domain: NSCocoaErrorDomain, code: CocoaError.userCancelled.rawValue), StoreError.cancelled() as NSError,
    ]

    @Test(
        "E01 a cancellation is recognised by domain and code, however deep it lies", arguments: cancellations,
        [0, 1, 2, 10])
    func cancellation(error: NSError, depth: Int) {
        let found = StoreError(Self.wrapped(error, times: depth))
        #expect(found.isCancellation)
        #expect(depth == 0 || (found.underlyingError as NSError?)?.domain == "Wrapper")
    }

    @Test("E01 a cancellation among several underlying errors is recognised")
    func severalUnderlying() {
        let error = NSError(
            domain: "Wrapper", code: 1,
            userInfo: [
                "NSMultipleUnderlyingErrorsKey": [
                    NSError(domain: "A", code: 2), Self.wrapped(Self.cancellations[0], times: 2),
                ]
            ])
        #expect(StoreError(error).isCancellation)
        #expect(StoreError(Self.wrapped(error, times: 2)).isCancellation)
    }

    @Test(
        "E01 the code of a cancellation in another domain, and a plain unknown error, are none",
        arguments: [
            NSError(domain: "Other", code: 2), NSError(domain: "SKErrorDomain", code: 0),
            NSError(domain: NSCocoaErrorDomain, code: 2), NSError(domain: "SKErrorDomain", code: 3072),
            NSError(domain: "SKErrorDomain", code: NSURLErrorCancelled), StoreError.network() as NSError,
        ])
    func noCancellation(error: NSError) {
        #expect(!StoreError(Self.wrapped(error, times: 1)).isCancellation)
    }

    @Test("E01 a chain that runs in a circle ends")
    func circle() {
        let circular = CircularError()
        #expect(!StoreError(circular).isCancellation)
        if case .unknown(let underlying) = StoreError(circular) {
            #expect(underlying as? CircularError === circular)
        } else {
            Issue.record("a circle is an unknown error")
        }
    }

    @Test(
        "E02 a network error is told from others, and kept",
        arguments: [
            NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet),
            NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut), NSError(domain: "SKErrorDomain", code: 7),
        ], [0, 3])
    func network(error: NSError, depth: Int) {
        let wrapped = Self.wrapped(error, times: depth)
        guard case .network(let underlying) = StoreError(wrapped) else {
            Issue.record("\(error) is a network error")
            return
        }
        #expect(underlying as NSError? == wrapped)
    }

    @Test("E02 a URLError thrown as what it is counts too")
    func urlErrors() {
        #expect(StoreError(URLError(.cancelled)).isCancellation)
        if case .network = StoreError(URLError(.cannotFindHost)) {} else { Issue.record("no network error") }
    }

    @Test("E02 an error of the store's own stays itself")
    func itself() {
        if case .unknownProduct("p") = StoreError(StoreError.unknownProduct(identifier: "p")) {
        } else {
            Issue.record("it became another error")
        }
    }

    @Test("E02 anything else is unknown, and kept")
    func unknown() {
        struct Mine: Error {}
        if case .unknown(let underlying) = StoreError(Mine()) {
            #expect(underlying is Mine)
        } else {
            Issue.record("not unknown")
        }
    }

    static let all: [StoreError] = {
        let cause = NSError(domain: "Cause", code: 7, userInfo: [NSLocalizedDescriptionKey: "the cause"])
        return [
            .cancelled(underlying: cause), .network(underlying: cause), .timedOut(after: 30),
            .paymentNotAllowed(underlying: cause), .unknownProduct(identifier: "p"),
            .productUnavailable(underlying: cause),
            .invalidQuantity(0), .invalidUsername("ann"), .invalidOffer(reason: "it is over", underlying: cause),
            .unsupported("offers"), .verificationFailed(reason: "forged"),
            .unableToCompleteVerification(underlying: cause),
            .persistenceFailed(underlying: cause), .downloadFailed(underlying: cause), .downloadCancelled,
            .unfinishedTransaction(id: "1"), .transactionRemoved, .notFinishable(.deferred),
            .unknown(underlying: cause),
        ]
    }()

    @Test("E02 every error has a code of its own, one domain, and a text that a person can read", arguments: all)
    func texts(error: StoreError) {
        let bridged = error as NSError
        #expect(bridged.domain == "StoreKitManager.StoreError")
        #expect(bridged.code == error.errorCode)
        #expect(Self.all.filter { $0.errorCode == error.errorCode }.count == 1)
        let text = error.localizedDescription
        #expect(text.hasSuffix(".") && text.contains(" "))
        #expect(error.errorDescription == text)
        #expect(error.description.hasPrefix(text))
    }

    @Test("E02 the underlying error is kept, also by the NSError, and is in the description", arguments: all)
    func underlying(error: StoreError) {
        guard let underlying = error.underlyingError else { return }
        #expect((underlying as NSError).domain == "Cause")
        #expect(((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 7)
        #expect(error.description.contains("Cause"))
        #expect(
            !StoreError(NSError(domain: "W", code: 1, userInfo: [NSUnderlyingErrorKey: error])).isCancellation
                || error.isCancellation)
    }

    @Test("E02 what an error speaks of stands in its text")
    func details() {
        #expect(StoreError.unknownProduct(identifier: "com.x").localizedDescription.contains("com.x"))
        #expect(StoreError.invalidQuantity(-3).localizedDescription.contains("-3"))
        let cause = NSError(domain: "Cause", code: 7, userInfo: [NSLocalizedDescriptionKey: "the cause"])
        #expect(StoreError.unknown(underlying: cause).localizedDescription.hasSuffix("an error: the cause."))
        #expect(StoreError.timedOut(after: 30).localizedDescription.contains("30"))
        #expect(StoreError.verificationFailed(reason: "forged").localizedDescription.contains("forged"))
        #expect(StoreError.unfinishedTransaction(id: "77").localizedDescription.contains("77"))
    }
}

/// An error that is its own cause.
private final class CircularError: NSError, @unchecked Sendable {  // holds nothing that changes
    init() { super.init(domain: "Circle", code: 1, userInfo: [:]) }
    required init?(coder: NSCoder) { nil }
    override var userInfo: [String: Any] {
        [NSUnderlyingErrorKey: self, "NSMultipleUnderlyingErrorsKey": [self, self]]
    }
}
