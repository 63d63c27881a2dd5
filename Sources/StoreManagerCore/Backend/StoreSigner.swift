public import Foundation

/// Signs what a store for tests says, and checks what an app's server signed.
///
/// The App Store signs for itself. A simulated store knows no cryptography: without a signer nothing is signed, transactions
/// have no JWS, there is no receipt, and the signatures of offers are only looked at for their form. `ReceiptVerification` has a
/// signer whose work goes through the very same verification as the App Store's: `TestStoreSigner`.
public protocol StoreSigner: Sendable {
    /// The signed form of a transaction, a JWS; nil leaves it unsigned.
    func jws(of transaction: StoreTransaction) -> String?

    /// The app receipt that lists these transactions; nil where there is none.
    func receipt(of transactions: [StoreTransaction], at date: Date) -> Data?

    /// The signed form of what StoreKit itself makes besides, renewal infos and app transactions: a JWS over the payload, JSON
    /// under Apple's names. Nil, which is the default, leaves it unsigned.
    func jws(ofPayload payload: Data) -> String?

    /// Whether the signature of an offer holds for a payment.
    func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool
}

extension StoreSigner {
    /// Leaves it unsigned.
    public func jws(ofPayload payload: Data) -> String? { nil }
}
