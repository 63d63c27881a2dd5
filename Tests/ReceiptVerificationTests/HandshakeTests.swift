import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Verifiers for the handshake")
struct HandshakeTests {
    private let signer = Fixtures.signer

    private func transaction(
        _ id: String = "101", product: String = "com.example.pro", jws: String? = nil, original: String? = nil,
        state: StoreTransactionState = .purchased
    ) -> StoreTransaction {
        var transaction = StoreTransaction(
            id: id, originalID: original, productIdentifier: product, state: state, purchaseDate: Fixtures.date)
        transaction.jwsRepresentation = jws
        return transaction
    }

    @Test("J01 J02 a transaction is verified by its own JWS and by no other")
    func signedTransaction() async throws {
        let verifier = SignedTransactionVerifier(Fixtures.dataVerifier())
        let jws = try signer.sign(Fixtures.transaction)
        #expect(await verifier.verify(transaction(jws: jws)).isValid)
        #expect(
            await verifier.verify(transaction("102", jws: jws)).reason
                == Refusal.transactionMismatch(found: "101").description)
        #expect(await verifier.verify(transaction(product: "com.example.gold", jws: jws)).reason != nil)
        #expect(await verifier.verify(transaction(jws: "a.b.c")).reason != nil)
        #expect(try await verifier.verify(transaction(jws: Fixtures.stranger.sign(Fixtures.transaction))).reason != nil)
        var claims = Fixtures.transaction
        claims.revocationDate = Fixtures.date
        #expect(
            try await verifier.verify(transaction(jws: signer.sign(claims))).reason
                == Refusal.purchaseRevoked(Fixtures.date).description)
    }

    @Test("J05 a transaction without a JWS, or with one that nobody can judge now, is could-not-tell")
    func undecided() async throws {
        struct Unreachable: RevocationChecker {
            func status(of certificate: Data, issuedBy issuer: Data, at date: Date) async throws -> RevocationStatus {
                throw URLError(.notConnectedToInternet)
            }
        }
        let jws = try signer.sign(Fixtures.transaction)
        let verifier = SignedTransactionVerifier(Fixtures.dataVerifier(), revocation: Unreachable())
        #expect(await verifier.verify(transaction(jws: jws)).error is URLError)
        #expect(
            await verifier.verify(transaction()).error as? SignedTransactionMissing
                == .init(transactionIdentifier: "101"))
    }

    @Test("X05 a transaction that the receipt lists is valid at once, without a refresh")
    func listed() async throws {
        let file = ReceiptFile(try signer.appReceipt(Fixtures.receipt))
        #expect(await file.verifier.verify(transaction()).isValid)
        #expect(await file.refreshCount == 0)
    }

    @Test("X05 a transaction that the receipt lacks is found after one refresh")
    func refreshed() async throws {
        var old = Fixtures.receipt
        old.purchases.removeAll()
        let file = ReceiptFile(try signer.appReceipt(old), afterRefresh: try signer.appReceipt(Fixtures.receipt))
        #expect(await file.verifier.verify(transaction()).isValid)
        #expect(await file.refreshCount == 1)
        let missing = ReceiptFile(nil, afterRefresh: try signer.appReceipt(Fixtures.receipt))
        #expect(await missing.verifier.verify(transaction()).isValid)
    }

    @Test("X05 a transaction that the receipt lacks even so is could-not-tell, never invalid")
    func lacking() async throws {
        let receipt = try signer.appReceipt(Fixtures.receipt)
        let file = ReceiptFile(receipt, afterRefresh: receipt)
        #expect(
            await file.verifier.verify(transaction("999")).error as? AppReceiptError
                == .transactionMissing(identifier: "999"))
        // The product was bought, but not by this transaction.
        #expect(
            await file.verifier.verify(transaction("100")).error as? AppReceiptError
                == .transactionMissing(identifier: "100"))
        let damaged = ReceiptFile(receipt.dropLast(), afterRefresh: receipt.dropLast())
        #expect(await damaged.verifier.verify(transaction()).error is VerificationError)
        let none = ReceiptFile(nil)
        #expect(await none.verifier.verify(transaction()).error as? AppReceiptError == .receiptMissing)
    }

    @Test("X05 a refresh that is cancelled or fails is could-not-tell, whatever was wrong before")
    func cancelled() async throws {
        let forged = try Fixtures.stranger.appReceipt(Fixtures.receipt)
        for data in [nil, forged, try signer.appReceipt(ReceiptContents())] {
            let file = ReceiptFile(data, refreshError: URLError(.cancelled))
            #expect((await file.verifier.verify(transaction()).error as? URLError)?.code == .cancelled)
        }
    }

    @Test("X02 a receipt that is refused even after a refresh makes the transaction invalid, for the receipt's reason")
    func forged() async throws {
        let forged = try Fixtures.stranger.appReceipt(Fixtures.receipt)
        let file = ReceiptFile(forged, afterRefresh: forged)
        #expect(
            await file.verifier.verify(transaction()).reason
                == Refusal.certificateSignatureMismatch(.intermediate).description)
        #expect(await file.refreshCount == 1)
    }

    @Test("X02 a purchase that was taken back is invalid")
    func takenBack() async throws {
        var contents = Fixtures.receipt
        contents.purchases = [
            Fixtures.purchase("com.example.pro", "101", from: Fixtures.date, cancelled: Fixtures.date + 5)
        ]
        let file = ReceiptFile(try signer.appReceipt(contents))
        #expect(
            await file.verifier.verify(transaction()).reason == Refusal.purchaseRevoked(Fixtures.date + 5).description)
        #expect(await file.refreshCount == 0)
    }

    @Test("X05 a restored transaction is found by its original's identifier, a bought one is not")
    func restored() async throws {
        let receipt = try signer.appReceipt(Fixtures.receipt)
        let file = ReceiptFile(receipt, afterRefresh: receipt)
        #expect(await file.verifier.verify(transaction("555", original: "101", state: .restored)).isValid)
        #expect(await file.verifier.verify(transaction("556", original: "101")).error is AppReceiptError)
    }

    @Test("X05 all who wait share one refresh")
    func shared() async throws {
        var old = Fixtures.receipt
        old.purchases.removeAll()
        var new = Fixtures.receipt
        new.purchases = (0..<20).map { Fixtures.purchase("com.example.pro", "\($0)", from: Fixtures.date) }
        let file = ReceiptFile(
            try signer.appReceipt(old), afterRefresh: try signer.appReceipt(new), awaitedReads: 20)
        let verifier = file.verifier
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 { group.addTask { await verifier.verify(transaction("\(index)")).isValid } }
            for await isValid in group { #expect(isValid) }
        }
        #expect(await file.refreshCount == 1)
    }

    @Test("X05 a transaction asked about again and again is not the reason for one refresh after the other")
    func interval() async throws {
        let receipt = try signer.appReceipt(Fixtures.receipt)
        let file = ReceiptFile(receipt, afterRefresh: receipt)
        let verifier = file.verifier
        for _ in 0..<3 { #expect(await verifier.verify(transaction("999")).error is AppReceiptError) }
        #expect(await file.refreshCount == 1)
        _ = await verifier.verify(transaction("998"))
        #expect(await file.refreshCount == 2)
        await file.advance(by: 300)
        _ = await verifier.verify(transaction("999"))
        #expect(await file.refreshCount == 3)
    }
}

/// A receipt file, and a store that writes another one when it is asked to.
private actor ReceiptFile {
    private(set) var refreshCount = 0
    private var data: Data?
    private let newData: Data?
    private let refreshError: (any Error)?
    private let awaitedReads: Int
    private var reads = 0
    private var waiting: CheckedContinuation<Void, Never>?
    private let clock = SettableDate()

    /// - Parameter awaitedReads: A refresh ends only when the file was read so many times.
    init(_ data: Data?, afterRefresh newData: Data? = nil, refreshError: (any Error)? = nil, awaitedReads: Int = 0) {
        self.data = data
        self.newData = newData
        self.refreshError = refreshError
        self.awaitedReads = awaitedReads
    }

    nonisolated var verifier: AppReceiptTransactionVerifier {
        AppReceiptTransactionVerifier(
            Fixtures.receiptVerifier(), now: { [clock] in clock.date }, receipt: { await self.read() },
            refresh: { try await self.refresh() })
    }

    func advance(by interval: TimeInterval) { clock.advance(by: interval) }

    private func read() -> Data? {
        reads += 1
        if reads >= awaitedReads {
            waiting?.resume()
            waiting = nil
        }
        return data
    }

    private func refresh() async throws {
        refreshCount += 1
        if reads < awaitedReads { await withCheckedContinuation { waiting = $0 } }
        if let refreshError { throw refreshError }
        data = newData
    }
}

/// A date that a test moves.
private final class SettableDate: @unchecked Sendable {
    // Unchecked, because the date is read and written under the lock only.
    private let lock = NSLock()
    private var value = Fixtures.date

    var date: Date { lock.withLock { value } }

    func advance(by interval: TimeInterval) { lock.withLock { value += interval } }
}

extension VerificationVerdict {
    fileprivate var isValid: Bool { if case .valid = self { true } else { false } }
    fileprivate var reason: String? { if case .invalid(let reason) = self { reason } else { nil } }
    fileprivate var error: (any Error)? { if case .unableToComplete(let error) = self { error } else { nil } }
}
