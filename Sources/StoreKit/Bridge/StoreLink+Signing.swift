import Foundation
import StoreManagerCore
package import StoreSimulator

// Values of the store in StoreKit's signed form.
extension StoreLink {
    /// A transaction as StoreKit 2 gives it.
    func signed(_ transaction: StoreTransaction) -> VerificationResult<Transaction> {
        let period = offerPeriod(of: transaction.offer, transaction.productIdentifier)
        let date = transaction.signedDate ?? transaction.purchaseDate
        let nonce = UUID(number: UInt64(transaction.id) ?? 0, date: date)
        let claims = TransactionClaims(transaction, offerPeriod: period, app: app, nonce: nonce)
        let payload = encoded(claims)
        let signed = SignedValue(
            payload: payload, jws: transaction.jwsRepresentation, at: date, nonce: nonce, app: app)
        let value = Transaction(source: transaction, signed: signed, offerPeriod: period)
        return VerificationResult(value, transaction.storeVerification)
    }

    /// What is known of the renewal of a transaction, as StoreKit 2 gives it.
    func signed(
        _ info: StoreRenewalInfo, for transaction: StoreTransaction
    ) -> VerificationResult<Product.SubscriptionInfo.RenewalInfo> {
        let period = offerPeriod(of: info.offer, info.autoRenewPreference ?? info.currentProductIdentifier)
        let date = info.signedDate ?? transaction.purchaseDate
        let nonce = UUID(number: UInt64(info.originalTransactionID) ?? 0, date: date)
        let claims = RenewalClaims(info, offerPeriod: period, app: app, nonce: nonce)
        let value = Product.SubscriptionInfo.RenewalInfo(
            source: info, signed: sign(claims, at: date, nonce), offerPeriod: period)
        return VerificationResult(value, transaction.storeVerification)
    }

    /// The download of the app as StoreKit 2 gives it. It was downloaded when the clock began to run.
    func signedAppTransaction(in store: SimulatedStore) -> VerificationResult<AppTransaction> {
        let date = store.clock.now
        let nonce = UUID(number: 0, date: date)
        let claims = AppClaims(
            bundleId: app.bundleID, applicationVersion: app.version, originalApplicationVersion: app.version,
            originalPurchaseDate: VirtualClock.defaultStart.milliseconds, receiptCreationDate: date.milliseconds,
            requestDate: date.milliseconds, appTransactionId: app.appTransactionID,
            deviceVerificationNonce: nonce.uuidString.lowercased())
        let value = AppTransaction(claims: claims, signed: sign(claims, at: date, nonce))
        var verification = StoreVerification.verified
        if case .verification(let failure) = store.controls.simulatedErrors[.verification] {
            verification = .unverified(reason: failure.rawValue)
        }
        return VerificationResult(value, verification)
    }

    private func sign(_ claims: some Encodable, at date: Date, _ nonce: UUID) -> SignedValue {
        let payload = encoded(claims)
        let jws = store?.signer?.jws(ofPayload: payload)
        return SignedValue(payload: payload, jws: jws, at: date, nonce: nonce, app: app)
    }

    private func encoded(_ claims: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(claims)) ?? Data()
    }

    private func offerPeriod(of offer: StoreRedeemedOffer?, _ product: String) -> StoreSubscriptionPeriod? {
        offer.flatMap { store?.period(of: $0, product: product) }
    }
}

extension VerificationResult {
    /// A value, and what became of its signature.
    fileprivate init(_ value: SignedType, _ verification: StoreVerification) {
        if case .unverified(let reason) = verification {
            let failure = StoreAPIFailure.Verification(rawValue: reason)
            self = .unverified(value, failure.map { VerificationError($0) } ?? .invalidSignature)
        } else {
            self = .verified(value)
        }
    }
}

extension VerificationResult.VerificationError {
    /// The failure in StoreKit's words.
    package init(_ failure: StoreAPIFailure.Verification) {
        switch failure {
        case .revokedCertificate: self = .revokedCertificate
        case .invalidCertificateChain: self = .invalidCertificateChain
        case .invalidDeviceVerification: self = .invalidDeviceVerification
        case .invalidEncoding: self = .invalidEncoding
        case .invalidSignature: self = .invalidSignature
        case .missingRequiredProperties: self = .missingRequiredProperties
        }
    }
}

extension StoreAPIFailure.Verification {
    /// What a test gives in the simulator's words.
    package init<SignedType>(_ error: VerificationResult<SignedType>.VerificationError) {
        switch error {
        case .revokedCertificate: self = .revokedCertificate
        case .invalidCertificateChain: self = .invalidCertificateChain
        case .invalidDeviceVerification: self = .invalidDeviceVerification
        case .invalidEncoding: self = .invalidEncoding
        case .invalidSignature: self = .invalidSignature
        case .missingRequiredProperties: self = .missingRequiredProperties
        }
    }
}

extension UUID {
    /// A value that is used for one word of the store only: what it is about, and when it was signed.
    fileprivate init(number: UInt64, date: Date) {
        func bytes(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        let all = bytes(number) + bytes(UInt64(bitPattern: date.milliseconds))
        self = all.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
