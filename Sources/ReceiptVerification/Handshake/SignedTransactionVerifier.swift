public import StoreManagerCore

/// Verifies each transaction of a store manager by the JWS that StoreKit 2 gives with it.
///
/// The signed data must be of the transaction in question: same identifier, same product, and not taken back.
public struct SignedTransactionVerifier: TransactionVerifier, Sendable {
    private let verifier: SignedDataVerifier

    /// Makes a verifier for the handshake of one that checks signed data.
    public init(_ verifier: SignedDataVerifier) {
        self.verifier = verifier
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
            let claims = try await verifier.verify(signed).claims
            guard claims.transactionIdentifier == transaction.id,
                claims.productIdentifier == transaction.productIdentifier
            else { throw VerificationError.refused(.transactionMismatch(found: claims.transactionIdentifier)) }
            if let date = claims.revocationDate { throw VerificationError.refused(.purchaseRevoked(date)) }
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
}
