public import Foundation
public import StoreManagerCore

/// Who tells whether a receipt is genuine and lists a transaction: ``AppReceiptVerifier`` here and now,
/// ``AppleReceiptValidator`` by asking Apple, ``ServerReceiptVerifier`` by asking a server of one's own.
///
/// For the handshake with a store manager, give one to an ``AppReceiptTransactionVerifier``.
public protocol ReceiptChecker: Sendable {
    /// Returns where the receipt is genuine and lists the transaction as one that stands.
    ///
    /// - Throws: ``VerificationError``, ``AppReceiptError/transactionMissing(identifier:)``, or `CancellationError`; any other
    ///   error means that nobody can tell.
    func check(_ transaction: StoreTransaction, in receipt: Data) async throws
}

extension AppReceiptVerifier: ReceiptChecker {
    /// Verifies the receipt and looks the transaction up in it.
    public func check(_ transaction: StoreTransaction, in receipt: Data) async throws {
        try verify(data: receipt).purchases.check(transaction)
    }
}

extension AppleReceiptValidator: ReceiptChecker {
    /// Asks Apple about the receipt and looks the transaction up in the answer.
    public func check(_ transaction: StoreTransaction, in receipt: Data) async throws {
        try await validate(receipt).purchases.check(transaction)
    }
}

extension ServerReceiptVerifier: ReceiptChecker {
    /// Asks the server about the transaction.
    public func check(_ transaction: StoreTransaction, in receipt: Data) async throws {
        switch try await answer(about: transaction, in: receipt) {
        case .valid: break
        case .invalid(let reason): throw VerificationError.refused(.refusedByServer(reason: reason))
        case .unableToComplete(let error): throw VerificationError.undecided(error)
        }
    }
}

extension [InAppPurchase] {
    /// Makes sure that a transaction is among the purchases, and was not taken back.
    ///
    /// It is looked for by its identifier and product together: that the same product was once bought proves nothing. A restored
    /// transaction has an identifier of its own, so that the original's tells too.
    func check(_ transaction: StoreTransaction) throws {
        let candidates = filter { $0.productIdentifier == transaction.productIdentifier }
        var matches = candidates.filter { $0.transactionIdentifier == transaction.id }
        if matches.isEmpty, transaction.state == .restored {
            matches = candidates.filter {
                [$0.transactionIdentifier, $0.originalTransactionIdentifier].contains(transaction.originalID)
            }
        }
        guard let match = matches.first else { throw AppReceiptError.transactionMissing(identifier: transaction.id) }
        if let date = match.cancellationDate, matches.allSatisfy({ $0.cancellationDate != nil }) {
            throw VerificationError.refused(.purchaseRevoked(date))
        }
    }
}
