public import Foundation
public import StoreManagerCore

/// Verifies each transaction of a store manager by the JWS that StoreKit 2 gives with it.
///
/// The signed data must be of the transaction in question: same identifier, same product, and not taken back.
public struct SignedTransactionVerifier: TransactionVerifier, Sendable {
    private let verifier: SignedDataVerifier
    private let revocation: (any RevocationChecker)?
    private let now: @Sendable () -> Date

    /// Makes a verifier for the handshake of one that checks signed data.
    ///
    /// - Parameters:
    ///   - revocation: Asked whether the certificates were revoked, once everything else was found good; nil does without.
    ///   - now: The date now, which the revocation checker is told.
    public init(
        _ verifier: SignedDataVerifier, revocation: (any RevocationChecker)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.verifier = verifier
        self.revocation = revocation
        self.now = now
    }

    /// Looks at a transaction's JWS.
    ///
    /// - Returns: `.unableToComplete` with ``SignedTransactionMissing`` where there is none, as with StoreKit 1.
    public func verify(_ transaction: StoreTransaction) async -> VerificationVerdict {
        guard let jws = transaction.jwsRepresentation else {
            return .unableToComplete(SignedTransactionMissing(transactionIdentifier: transaction.id))
        }
        do {
            let signed = try VerificationError.wrap { try SignedTransaction(jws) }
            let verified = try verifier.verify(signed)
            let claims = verified.claims
            guard claims.transactionIdentifier == transaction.id,
                claims.productIdentifier == transaction.productIdentifier
            else { throw VerificationError.refused(.transactionMismatch(found: claims.transactionIdentifier)) }
            if let date = claims.revocationDate { throw VerificationError.refused(.purchaseRevoked(date)) }
            if let revocation { try await verified.checkRevocation(by: revocation, at: now()) }
            return .valid
        } catch let error as VerificationError {
            return error.verdict
        } catch {
            return .unableToComplete(error)
        }
    }
}

/// A transaction came without a JWS, so that nobody can tell by it whether it is genuine.
public struct SignedTransactionMissing: Error, Hashable, Sendable {
    /// The transaction.
    public let transactionIdentifier: String

    /// Says that a transaction came without a JWS.
    public init(transactionIdentifier: String) { self.transactionIdentifier = transactionIdentifier }
}
