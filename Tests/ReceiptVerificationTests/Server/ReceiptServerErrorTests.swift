import Foundation
import ReceiptVerification
import StoreManagerCore
import Testing

@Suite("What a person reads of a server's trouble")
struct ReceiptServerErrorTests {
    @Test(
        "Q01 Q03 each error says what is wrong, with what it knows",
        arguments: [
            (.missingAddress, "no address"), (.redirectNotAllowed(to: "https://example.org/"), "https://example.org/"),
            (.redirectNotAllowed(to: nil), "nowhere"), (.tooManyRedirects, "other addresses"),
            (.timedOut(after: 30), "30 seconds"), (.answerTooLarge(limit: 1000), "1000 bytes"), (.status(503), "503"),
            (.emptyAnswer, "empty"), (.unreadableAnswer(MalformedInput("no JSON", at: 7)), "no JSON, at byte 7"),
            (.undecided(.unavailable), "the server is not available (21005)"),
            (.undecided(AppleReceiptStatus(rawValue: 7)), "an unknown status (7)"),
        ] as [(ReceiptServerError, String)])
    func text(error: ReceiptServerError, words: String) {
        #expect(error.description.contains(words))
        #expect(error.localizedDescription == error.description)
        // The store manager's error keeps it as its cause.
        #expect(StoreError.unableToCompleteVerification(underlying: error).description.contains(words))
    }

    @Test("Q01 an address that is not allowed is named without its path and query, which may hold a secret")
    func secrets() throws {
        let url = try #require(URL(string: "http://user:password@example.com/key?token=secret"))
        #expect(
            ReceiptServerError.addressNotAllowed(url).description
                == "Receipts are sent to https addresses, and http://example.com is none.")
    }

    @Test(
        "Q01 each status of Apple's that has a meaning has words for it, and its number",
        arguments: [
            AppleReceiptStatus.valid, .badRequest, .malformedOrTrouble, .notAuthenticated, .wrongSharedSecret,
            .unavailable,
            .subscriptionExpired, .sandboxReceipt, .productionReceipt, .internalError, .accountMissing,
            AppleReceiptStatus(rawValue: 21100), AppleReceiptStatus(rawValue: 21199),
        ])
    func status(status: AppleReceiptStatus) {
        #expect(status.description.hasSuffix(" (\(status.rawValue))"))
        #expect(!status.description.contains("unknown"))
    }
}
