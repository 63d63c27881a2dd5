public import Foundation
public import StoreManagerCore

/// Signs promotional offers, as the app's server does, in both forms that StoreKit takes.
///
/// In an app's tests it stands for the server; a simulated store asks it whether a signature is its own.
public struct PromotionalOfferSigner: Sendable {
    /// The app's bundle identifier.
    public let bundleIdentifier: String
    /// The name of the key.
    public let keyIdentifier: String

    private let key: PrivateKey
    private let publicKey: PublicKey

    /// Signs with a new key.
    public init(bundleIdentifier: String, keyIdentifier: String) throws {
        try self.init(bundleIdentifier, keyIdentifier, try PrivateKey(generating: .p256))
    }

    /// Signs with a key that exists, such as a StoreKit configuration's.
    ///
    /// - Parameter privateKey: A P-256 key, PKCS#8: DER, or text of it in base64 with or without PEM's first and last line.
    /// - Throws: An error that says nothing of the key but that it is none.
    public init(bundleIdentifier: String, keyIdentifier: String, privateKey: Data) throws {
        var encoding = ContiguousArray(privateKey)
        if encoding.first != ASN1Tag.sequence.rawValue {
            let lines = String(decoding: privateKey, as: UTF8.self).split(whereSeparator: \.isNewline)
            let body = lines.filter { !$0.hasPrefix("-----") }.joined()
            encoding = (try? Base64.decode(ContiguousArray(body.utf8), .standard, ignoringWhitespace: true)) ?? []
        }
        try self.init(bundleIdentifier, keyIdentifier, try PrivateKey(p256: encoding.span))
    }

    private init(_ bundleIdentifier: String, _ keyIdentifier: String, _ key: PrivateKey) throws {
        self.bundleIdentifier = bundleIdentifier
        self.keyIdentifier = keyIdentifier
        self.key = key
        publicKey = try PublicKey(.p256, point: ContiguousArray(key.publicKey).span)
    }

    /// Signs an offer in the classic form
    /// (https://developer.apple.com/documentation/storekit/generating-a-signature-for-promotional-offers).
    ///
    /// - Parameters:
    ///   - account: The application user name, or the account token in lower case, that the purchase will have; empty for none.
    ///   - nonce: Makes the signature usable once.
    ///   - date: When it is signed. The App Store takes it for 24 hours.
    public func signature(
        offerID: String, productIdentifier: String, account: String, nonce: UUID, date: Date
    ) throws -> PromotionalOfferSignature {
        var signature = PromotionalOfferSignature(
            offerID: offerID, keyID: keyIdentifier, nonce: nonce, signature: "",
            timestamp: Int(clamping: Int64(clampingMilliseconds: date)))
        let message = message(signature, productIdentifier, account)
        let octets = try key.signature(.certificate, over: message.span, .sha256)
        signature.signature = Data(octets).base64EncodedString()
        return signature
    }

    /// Whether a classic signature was made with this key, for this product and account.
    public func isValid(_ signature: PromotionalOfferSignature, productIdentifier: String, account: String) -> Bool {
        guard signature.keyID == keyIdentifier, let octets = Data(base64Encoded: signature.signature) else {
            return false
        }
        let message = message(signature, productIdentifier, account)
        return publicKey.isValid(ContiguousArray(octets).span, .certificate, over: message.span, .sha256)
    }

    /// Signs an offer as a JWS
    /// (https://developer.apple.com/documentation/storekit/generating-jws-to-sign-app-store-requests).
    ///
    /// - Parameters:
    ///   - transactionIdentifier: Any transaction of the customer's; nil for none.
    ///   - issuer: The issuer's identifier in App Store Connect.
    public func jws(
        offerID: String, productIdentifier: String, transactionIdentifier: String? = nil, nonce: UUID, date: Date,
        issuer: String
    ) throws -> String {
        let claims = RequestClaims(
            iss: issuer, iat: Int64(clampingMilliseconds: date) / 1000, aud: "promotional-offer", bid: bundleIdentifier,
            nonce: nonce.uuidString.lowercased(), productId: productIdentifier, offerIdentifier: offerID,
            transactionId: transactionIdentifier)
        return try JWSWriter.jws(
            header: RequestHeader(kid: keyIdentifier), payload: JWSWriter.encoder.encode(claims), key: key)
    }

    /// Whether a JWS was made with this key, for this app, offer and product.
    public func isValid(jws text: String, offerID: String, productIdentifier: String) -> Bool {
        guard let jws = try? CompactJWS(text), let claims = try? jws.decodePayload(as: RequestClaims.self),
            claims.aud == "promotional-offer", claims.bid == bundleIdentifier, claims.offerIdentifier == offerID,
            claims.productId == productIdentifier, (try? jws.decodeHeader().alg) == "ES256"
        else { return false }
        return publicKey.isValid(
            jws.signature.span, .jws, over: jws.bytes.span.extracting(jws.signedPart), .sha256)
    }

    /// What the classic form signs: the parts joined by the invisible separator.
    private func message(
        _ signature: PromotionalOfferSignature, _ productIdentifier: String, _ account: String
    ) -> ContiguousArray<UInt8> {
        let parts = [
            bundleIdentifier, signature.keyID, productIdentifier, signature.offerID, account,
            signature.nonce.uuidString.lowercased(), String(signature.timestamp),
        ]
        return ContiguousArray(parts.joined(separator: "\u{2063}").utf8)
    }

    private struct RequestHeader: Encodable {
        var alg = "ES256"
        var typ = "JWT"
        let kid: String
    }

    private struct RequestClaims: Codable {
        let iss: String
        let iat: Int64
        let aud: String
        let bid: String
        let nonce: String
        let productId: String
        let offerIdentifier: String
        let transactionId: String?
    }
}

extension Int64 {
    /// The milliseconds from 1970 to a date, so far as there are so many.
    fileprivate init(clampingMilliseconds date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}
