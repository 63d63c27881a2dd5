import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Base64")
struct Base64Tests {
    @Test("What Foundation writes is read, in both alphabets", arguments: 0..<80)
    func roundTrip(_ count: Int) throws {
        var generator = SplitMix64(seed: UInt64(count))
        let bytes = ContiguousArray((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let text = Data(bytes).base64EncodedString()
        #expect(try Base64.decode(ContiguousArray(text.utf8), .standard) == bytes)
        let url = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        #expect(Base64.urlText(bytes) == url)
        #expect(try Base64.decode(ContiguousArray(url.utf8), .url) == bytes)
    }

    @Test(
        "X03 what is not base64 is an error with its place",
        arguments: [
            ("QQ=", 3), ("QQ", 2), ("Q", 1), ("QR==", 4), ("QUE!", 3), ("QUE=QUE=", 4), ("=", 0), ("Q===", 1),
            ("QUE==", 4), ("QU E", 2), ("QU-_", 2), ("QUFB\n", 4),
        ])
    func standard(_ text: String, _ offset: Int) async {
        #expect(await malformation { try Base64.decode(ContiguousArray(text.utf8), .standard) }?.offset == offset)
    }

    @Test(
        "X03 a JWS's alphabet is another, and has no filling",
        arguments: [("QQ==", 2), ("QU+/", 2), ("QR", 2), ("Q", 1)])
    func url(_ text: String, _ offset: Int) async {
        #expect(await malformation { try Base64.decode(ContiguousArray(text.utf8), .url) }?.offset == offset)
    }

    @Test("White space is ignored where that is asked for")
    func whitespace() throws {
        #expect(
            try Base64.decode(ContiguousArray(" Q\tU\r\nE= \n".utf8), .standard, ignoringWhitespace: true) == [
                0x41, 0x41,
            ])
    }
}
