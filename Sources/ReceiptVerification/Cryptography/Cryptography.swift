// The whole of the cryptography that receipts and signed transactions need. What is declared here is implemented once for
// each platform, by its own library: LibCrypto.swift for Linux, CryptoKitAndSecurity.swift for Apple's systems.

/// A hash function.
enum HashAlgorithm: Hashable, Sendable {
    case sha1, sha256, sha384
}

/// A kind of key.
enum KeyType: Hashable, Sendable {
    /// RSA of 2048 bits or more, used with PKCS#1 v1.5 signatures.
    case rsa
    /// The curve P-256.
    case p256
    /// The curve P-384.
    case p384
}

/// How the two numbers of an ECDSA signature are written down.
enum SignatureForm: Sendable {
    /// As certificates have them: a SEQUENCE of two INTEGERs. An RSA signature, which is one number, has only this form.
    case certificate
    /// As a JWS has them: one after the other, each as long as the curve's (RFC 7518, 3.4).
    case jws
}

/// What the platform's library is asked for could not be done.
enum CryptographyError: Error, Hashable, Sendable {
    /// The bytes are no public key of the kind.
    case invalidPublicKey(KeyType)
    /// The bytes are no private key of the kind.
    case invalidPrivateKey(KeyType)
    /// A key could not be made, or a signature not be written.
    case signingFailed(KeyType)
}
