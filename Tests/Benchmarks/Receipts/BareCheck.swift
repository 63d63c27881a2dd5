#if canImport(CLibCrypto)
import CLibCrypto
import Foundation

/// A signature check with everything made ready that can be, so that only libcrypto's own work is left.
final class BareCheck {
    private let context: OpaquePointer
    private let key: OpaquePointer
    private let signature: [UInt8]
    private let digest: [UInt8]
    private let message: [UInt8]
    private let algorithm: OpaquePointer

    /// A check of a message's signature, in the form of certificates, by the key of a certificate.
    init(_ message: [UInt8], _ signature: [UInt8], by certificate: Data, _ algorithm: OpaquePointer) throws {
        guard let key = Self.withCertificate(certificate, { X509_get_pubkey($0) }),
            let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil), EVP_PKEY_verify_init(context) == 1
        else { throw BareCheckError() }
        if EVP_PKEY_is_a(key, "RSA") == 1 {
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING)
            EVP_PKEY_CTX_set_signature_md(context, algorithm)
        }
        (self.key, self.context) = (key, context)
        (self.message, self.signature, self.algorithm) = (message, signature, algorithm)
        digest = Self.digest(message, algorithm)
        guard verify() else { throw BareCheckError() }
    }

    /// A check of a certificate's signature by its issuer.
    convenience init(certificate: Data, by issuer: Data) throws {
        let parts = Self.withCertificate(certificate) { certificate -> (message: [UInt8], signature: [UInt8], Int32)? in
            var signature: UnsafePointer<ASN1_BIT_STRING>?
            X509_get0_signature(&signature, nil, certificate)
            var encoding: UnsafeMutablePointer<UInt8>?
            let count = i2d_re_X509_tbs(certificate, &encoding)
            defer { CRYPTO_free(encoding, #file, #line) }
            guard let signature, count > 0 else { return nil }
            let octets = UnsafeBufferPointer(
                start: ASN1_STRING_get0_data(signature), count: Int(ASN1_STRING_length(signature)))
            var hash: Int32 = 0
            OBJ_find_sigid_algs(X509_get_signature_nid(certificate), &hash, nil)
            return (Array(UnsafeBufferPointer(start: encoding, count: Int(count))), Array(octets), hash)
        }
        guard let parts, let algorithm = EVP_get_digestbyname(OBJ_nid2sn(parts.2)) else { throw BareCheckError() }
        try self.init(parts.message, parts.signature, by: issuer, algorithm)
    }

    deinit {
        EVP_PKEY_CTX_free(context)
        EVP_PKEY_free(key)
    }

    /// Checks the signature over the digest that was made before.
    @discardableResult
    func verify() -> Bool {
        EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }

    /// Makes the digest, and checks the signature over it.
    func digestAndVerify() {
        _ = Self.digest(message, algorithm)
        verify()
    }

    private static func digest(_ message: [UInt8], _ algorithm: OpaquePointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var size: UInt32 = 0
            EVP_Digest(message, message.count, buffer.baseAddress, &size, algorithm, nil)
            count = Int(size)
        }
    }

    private static func withCertificate<Value>(_ encoding: Data, _ body: (OpaquePointer) -> Value?) -> Value? {
        let bytes = [UInt8](encoding)
        return bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let certificate = d2i_X509(nil, &start, bytes.count) else { return nil }
            defer { X509_free(certificate) }
            return body(certificate)
        }
    }
}

/// libcrypto did not accept what was made for it.
struct BareCheckError: Error {}
#endif
