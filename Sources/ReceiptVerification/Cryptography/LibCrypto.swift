#if !canImport(CryptoKit)
import CLibCrypto
import Foundation

extension HashAlgorithm {
    fileprivate var algorithm: OpaquePointer? {
        switch self {
        case .sha1: HashFunction.sha1.function
        case .sha256: HashFunction.sha256.function
        case .sha384: HashFunction.sha384.function
        }
    }

    fileprivate var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    /// The hash of some bytes.
    func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        bytes.withUnsafeBytes { input in
            [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
                let ok = EVP_Digest(input.baseAddress, input.count, output.baseAddress, nil, algorithm, nil)
                // It fails only where the system forbids the function: then nothing must match the hash.
                count = ok == 1 ? byteCount : 0
            }
        }
    }

    /// Whether a hash is that of some bytes, found out in a time that does not depend on where they differ.
    func isHash(_ hash: Data, of bytes: Span<UInt8>) -> Bool {
        let right = self.hash(bytes)
        guard !right.isEmpty, hash.count == right.count else { return false }
        return hash.withUnsafeBytes { CRYPTO_memcmp($0.baseAddress, right, right.count) } == 0
    }
}

/// A hash function of libcrypto's, looked up once: it would otherwise be looked up by name for every message.
///
/// Unchecked, because the function is complete before it is shared, lives for ever, and nobody changes it after.
private final class HashFunction: @unchecked Sendable {
    static let sha1 = HashFunction("SHA1")
    static let sha256 = HashFunction("SHA256")
    static let sha384 = HashFunction("SHA384")

    /// Nil where the system forbids the function.
    let function: OpaquePointer?

    private init(_ name: String) {
        function = EVP_MD_fetch(nil, name, nil)
        ERR_clear_error()
    }
}

/// A public key, read once and used for any number of signatures.
///
/// Unchecked, because the key is complete before it is shared and nobody changes it after: libcrypto lets any number of
/// threads verify with one such key (EVP_PKEY, "Thread safety", openssl-threads(7)).
final class PublicKey: @unchecked Sendable {
    let type: KeyType
    private let key: OpaquePointer

    /// Reads a point of P-256 or P-384 in its uncompressed form (SEC 1, 2.3.3).
    init(_ type: KeyType, point: Span<UInt8>) throws {
        defer { ERR_clear_error() }
        let parameters: CurveParameters? =
            switch type {
            case .p256: .p256
            case .p384: .p384
            case .rsa: nil
            }
        guard let key = parameters?.makeKey(point) else { throw CryptographyError.invalidPublicKey(type) }
        self.type = type
        self.key = key
    }

    /// Reads the two numbers of an RSA key, the highest octet first. Apple's library wants them in their `encoding` instead.
    init(modulus: Span<UInt8>, exponent: Span<UInt8>, encoding: Span<UInt8>) throws {
        // libcrypto takes numbers in the order of the machine, which on every platform of the package is the lowest octet first.
        var modulus = modulus.withUnsafeBufferPointer { [UInt8]($0.reversed()) }
        var exponent = exponent.withUnsafeBufferPointer { [UInt8]($0.reversed()) }
        let key = modulus.withUnsafeMutableBufferPointer { modulus in
            exponent.withUnsafeMutableBufferPointer { exponent in
                importRSAKey([
                    OSSL_PARAM_construct_BN(lasting("n"), modulus.baseAddress, modulus.count),
                    OSSL_PARAM_construct_BN(lasting("e"), exponent.baseAddress, exponent.count),
                    OSSL_PARAM_construct_end(),
                ])
            }
        }
        guard let key else { throw CryptographyError.invalidPublicKey(.rsa) }
        type = .rsa
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// Whether the owner of the key signed the message.
    func isValid(
        _ signature: Span<UInt8>, _ form: SignatureForm, over message: Span<UInt8>, _ hash: HashAlgorithm
    ) -> Bool {
        defer { ERR_clear_error() }
        let digest = hash.hash(message)
        guard !digest.isEmpty, let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_verify_init(context) == 1 else { return false }
        if type == .rsa {
            guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
                EVP_PKEY_CTX_set_signature_md(context, hash.algorithm) == 1
            else { return false }
        }
        let encoded = form == .jws ? certificateForm(ofJWSSignature: signature, type) : nil
        if form == .jws, encoded == nil { return false }
        return signature.withUnsafeBufferPointer { signature in
            if let encoded { return EVP_PKEY_verify(context, encoded, encoded.count, digest, digest.count) == 1 }
            return EVP_PKEY_verify(context, signature.baseAddress, signature.count, digest, digest.count) == 1
        }
    }
}

/// The parameters of a curve. A key made from a copy of them costs a fifth of one made from the curve's name.
///
/// Unchecked, because the parameters are complete before they are shared and only copied after.
private final class CurveParameters: @unchecked Sendable {
    static let p256 = CurveParameters("prime256v1")
    static let p384 = CurveParameters("secp384r1")

    private let parameters: OpaquePointer?

    private init(_ name: String) {
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var parameters: OpaquePointer?
        EVP_PKEY_paramgen_init(context)
        EVP_PKEY_CTX_set_group_name(context, name)
        EVP_PKEY_paramgen(context, &parameters)
        self.parameters = parameters
    }

    /// A public key at a point; nil where that is not on the curve.
    func makeKey(_ point: Span<UInt8>) -> OpaquePointer? {
        guard let parameters, let key = EVP_PKEY_dup(parameters) else { return nil }
        let isOnCurve = point.withUnsafeBufferPointer {
            EVP_PKEY_set1_encoded_public_key(key, $0.baseAddress, $0.count) == 1
        }
        if isOnCurve { return key }
        EVP_PKEY_free(key)
        return nil
    }
}

/// A private key. Only test data and promotional offers are signed here.
///
/// Unchecked for the same reason as ``PublicKey``.
final class PrivateKey: @unchecked Sendable {
    let type: KeyType
    private let key: OpaquePointer

    /// Makes a new key: RSA of 2048 bits, or a point of P-256.
    init(generating type: KeyType) throws {
        defer { ERR_clear_error() }
        let context = EVP_PKEY_CTX_new_from_name(nil, type == .rsa ? "RSA" : "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            type == .rsa
                ? EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1
                : type == .p256 && EVP_PKEY_CTX_set_group_name(context, "prime256v1") == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { throw CryptographyError.signingFailed(type) }
        self.type = type
        self.key = key
    }

    /// Reads a P-256 key in its PKCS#8 form, as a store configuration or a `.p8` file holds it.
    init(p256 encoding: Span<UInt8>) throws {
        defer { ERR_clear_error() }
        let key = encoding.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let key else { throw CryptographyError.invalidPrivateKey(.p256) }
        guard EVP_PKEY_is_a(key, "EC") == 1, EVP_PKEY_get_bits(key) == 256 else {
            EVP_PKEY_free(key)
            throw CryptographyError.invalidPrivateKey(.p256)
        }
        type = .p256
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The public key as certificates hold it: PKCS#1 for RSA, the uncompressed point for a curve.
    var publicKey: [UInt8] {
        var encoding: UnsafeMutablePointer<UInt8>?
        let count = i2d_PublicKey(key, &encoding)
        defer { CRYPTO_free(encoding, #file, #line) }
        return [UInt8](UnsafeBufferPointer(start: encoding, count: max(0, Int(count))))
    }

    /// Signs a message.
    func signature(_ form: SignatureForm, over message: Span<UInt8>, _ hash: HashAlgorithm) throws -> [UInt8] {
        defer { ERR_clear_error() }
        let digest = hash.hash(message)
        let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_sign_init(context) == 1 else { throw CryptographyError.signingFailed(type) }
        if type == .rsa {
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING)
            EVP_PKEY_CTX_set_signature_md(context, hash.algorithm)
        }
        var count = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1 else {
            throw CryptographyError.signingFailed(type)
        }
        signature.removeLast(signature.count - count)
        if form == .certificate { return signature }
        guard let numbers = jwsForm(ofCertificateSignature: signature, type) else {
            throw CryptographyError.signingFailed(type)
        }
        return numbers
    }
}

/// Makes a public key of its numbers.
private func importRSAKey(_ numbers: [OSSL_PARAM]) -> OpaquePointer? {
    defer { ERR_clear_error() }
    let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
    defer { EVP_PKEY_CTX_free(context) }
    var numbers = numbers
    var key: OpaquePointer?
    // EVP_PKEY_PUBLIC_KEY, a macro that Swift does not see.
    let selection = OSSL_KEYMGMT_SELECT_ALL_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
    guard EVP_PKEY_fromdata_init(context) == 1, EVP_PKEY_fromdata(context, &key, selection, &numbers) == 1 else {
        return nil
    }
    return key
}

private func certificateForm(ofJWSSignature signature: Span<UInt8>, _ type: KeyType) -> [UInt8]? {
    let size = type == .p256 ? 32 : 48
    guard type != .rsa, signature.count == 2 * size, let numbers = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(numbers) }
    return signature.withUnsafeBufferPointer { bytes -> [UInt8]? in
        guard let start = bytes.baseAddress,
            ECDSA_SIG_set0(numbers, BN_bin2bn(start, Int32(size), nil), BN_bin2bn(start + size, Int32(size), nil)) == 1
        else { return nil }
        var encoding = [UInt8](repeating: 0, count: 2 * size + 16)
        let count = encoding.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return i2d_ECDSA_SIG(numbers, &start)
        }
        guard count > 0 else { return nil }
        encoding.removeLast(encoding.count - Int(count))
        return encoding
    }
}

private func jwsForm(ofCertificateSignature signature: [UInt8], _ type: KeyType) -> [UInt8]? {
    let size = type == .p256 ? 32 : 48
    let numbers = signature.withUnsafeBufferPointer { bytes -> OpaquePointer? in
        var start = bytes.baseAddress
        return d2i_ECDSA_SIG(nil, &start, bytes.count)
    }
    guard type != .rsa, let numbers else { return nil }
    defer { ECDSA_SIG_free(numbers) }
    var result = [UInt8](repeating: 0, count: 2 * size)
    let ok = result.withUnsafeMutableBufferPointer { buffer -> Bool in
        guard let start = buffer.baseAddress else { return false }
        return BN_bn2binpad(ECDSA_SIG_get0_r(numbers), start, Int32(size)) == size
            && BN_bn2binpad(ECDSA_SIG_get0_s(numbers), start + size, Int32(size)) == size
    }
    return ok ? result : nil
}

/// A pointer that is valid for ever, since libcrypto's parameters keep the pointers they are given.
private func lasting(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
#endif
