import Foundation
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Chains already verified")
struct VerifiedChainsTests {
    private let chains = VerifiedChains()
    private let chain = Fixtures.chain

    /// Whether the chain for these bytes had to be validated.
    private func isValidated(_ bytes: [UInt8], at date: Date = Fixtures.date) throws -> Bool {
        var isValidated = false
        let bytes = ContiguousArray(bytes)
        _ = try chains.chain(for: bytes.span, signedBy: Span(), at: date) {
            isValidated = true
            return chain
        }
        return isValidated
    }

    @Test("J01 a chain is validated once, for exactly these bytes")
    func once() throws {
        #expect(try isValidated([1, 2]))
        #expect(try !isValidated([1, 2]))
        #expect(try isValidated([1, 2, 3]))
        #expect(try isValidated([1, 3]))
        #expect(try isValidated([]))
        #expect(try !isValidated([1, 2]))
    }

    @Test("J01 a chain is forgotten after its time, and when the clock was set back")
    func expiry() throws {
        #expect(try isValidated([1]))
        #expect(try !isValidated([1], at: Fixtures.date + VerifiedChains.lifetime))
        #expect(try isValidated([1], at: Fixtures.date + VerifiedChains.lifetime + 1))
        #expect(try isValidated([1], at: Fixtures.date))
    }

    @Test("J01 no more chains are remembered than there is room for, the last used ones longest")
    func capacity() throws {
        for index in 0..<VerifiedChains.capacity { _ = try isValidated([UInt8(index)]) }
        #expect(try !isValidated([0]))
        #expect(try isValidated([200]))
        #expect(try !isValidated([0]))
        #expect(try isValidated([1]))
    }

    @Test("J02 what was refused is not remembered")
    func refused() throws {
        let bytes: ContiguousArray<UInt8> = [9]
        #expect(throws: Refusal.rootNotTrusted) {
            try chains.chain(for: bytes.span, signedBy: Span(), at: Fixtures.date) { throw Refusal.rootNotTrusted }
        }
        #expect(try isValidated([9]))
    }
}

extension Fixtures {
    /// The chain of the signer's receipts.
    static var chain: CertificateChain {
        get {
            do {
                return try CertificateChain(
                    from: Certificate(ContiguousArray(signer.receiptSigner.encoding)),
                    through: [Certificate(ContiguousArray(signer.intermediate.encoding))], to: signer.roots,
                    for: .appReceipts)
            } catch {
                preconditionFailure("The signer's own chain is refused: \(error)")
            }
        }
    }
}
