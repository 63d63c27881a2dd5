import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Every single bit")
struct BitFlipTests {
    /// The bits are dealt out, so that the tests may run side by side.
    static let shares = 0..<8

    static let receipt = Result { try Fixtures.signer.appReceipt(Fixtures.receipt, deviceIdentifier: Fixtures.device) }
    static let jws = Result { try Fixtures.signer.sign(Fixtures.transaction) }

    @Test("X02 X03 a receipt with any one bit flipped is refused, or says the same", arguments: shares)
    func receipt(_ share: Int) throws {
        let data = try Self.receipt.get()
        let verifier = Fixtures.receiptVerifier(device: Fixtures.device)
        let original = try verifier.verify(data: data).contents
        var accepted: [Int] = []
        for bit in stride(from: share, to: data.count * 8, by: Self.shares.count) {
            var flipped = data
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            do {
                let contents = try verifier.verify(data: flipped).contents
                #expect(contents == original, "bit \(bit)")
                accepted.append(bit)
            } catch {
                #expect(error is VerificationError, "bit \(bit)")
            }
        }
        // The root in a receipt is not believed, so it does not matter what it says.
        let root = try #require(data.range(of: Fixtures.signer.rootCertificate))
        #expect(accepted.allSatisfy { root.contains($0 / 8) }, "bits \(accepted)")
    }

    @Test("J02 X03 a JWS with any one bit flipped is refused", arguments: shares)
    func jws(_ share: Int) async throws {
        let bytes = Array(try Self.jws.get().utf8)
        let verifier = Fixtures.dataVerifier()
        _ = try verifier.verify(SignedTransaction(String(decoding: bytes, as: UTF8.self)))
        for bit in stride(from: share, to: bytes.count * 8, by: Self.shares.count) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            do {
                _ = try verifier.verify(SignedTransaction(String(decoding: flipped, as: UTF8.self)))
                Issue.record("bit \(bit) is accepted")
            } catch {
                #expect(error is VerificationError || error is MalformedInput, "bit \(bit)")
            }
        }
    }

    @Test("X03 a receipt and a JWS cut off anywhere are refused")
    func truncated() async throws {
        let data = try Self.receipt.get()
        for count in 0..<data.count {
            #expect(throws: MalformedInput.self, "\(count) bytes") { try AppReceipt(data: data.prefix(count)) }
        }
        let text = try Self.jws.get()
        let verifier = Fixtures.dataVerifier()
        for count in 0..<text.count {
            let isRefused = await isRefused { try verifier.verify(SignedTransaction(String(text.prefix(count)))) }
            #expect(isRefused, "\(count) characters")
        }
    }

    private func isRefused<Value>(_ check: () async throws -> Value) async -> Bool {
        do {
            _ = try await check()
            return false
        } catch {
            return true
        }
    }
}
