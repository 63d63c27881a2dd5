import Foundation
import Testing

@testable import ReceiptVerification

@Suite("Errors in JSON")
struct JSONErrorTests {
    /// A JWS whose payload is some text. Its signature is none.
    private func jws(_ payload: [UInt8]) -> String {
        [Array(#"{"alg":"ES256"}"#.utf8), payload, Array(repeating: 0, count: 64)].map(Base64.urlText).joined(
            separator: ".")
    }

    @Test(
        "X03 whatever is wrong with the JSON in signed data, the error is ours and tells the place",
        arguments: [
            (Array(#"{"bundleId": 1}"#.utf8), "bundleId"), (Array(#"{"bundleId": "a""#.utf8), "end of file"),
            (Array("{\"bundleId\": \"\u{1}\"}".utf8), "character 14"),
            (Array(#"{"bundleId": "\l"}"#.utf8), "escape sequence around character 14"),
            (
                Array(#"{"bundleId": ""#.utf8) + [0xFF] + Array(#""}"#.utf8),
                "UTF-8 sequence 1 bytes starting from character 14"
            ),
            (Array("{\"bundle\u{2}Id\": 1}".utf8), "character 8"), (Array("[1]".utf8), "array"),
            (Array("7".utf8), "number"),
        ] as [([UInt8], String)])
    func damage(payload: [UInt8], place: String) async {
        let problem = await malformation { try SignedTransaction(jws(payload)) }
        #expect(problem?.description.localizedCaseInsensitiveContains(place) == true, "\(String(describing: problem))")
    }
}
