#if canImport(CryptoKit)
// Not compiled or run on the machine that the package was written on, which is a Linux one: keep this file as small as it is.
import CryptoKit
import Foundation
import Security

extension HashAlgorithm {
    /// The hash of some bytes.
    func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            switch self {
            case .sha1: Array(Insecure.SHA1.hash(data: bytes))
            case .sha256: Array(SHA256.hash(data: bytes))
            case .sha384: Array(SHA384.hash(data: bytes))
            }
        }
    }

    /// Whether a hash is that of some bytes. CryptoKit compares its digests in a time that does not depend on where they differ.
    func isHash(_ hash: Data, of bytes: Span<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            switch self {
            case .sha1: Insecure.SHA1.hash(data: bytes) == hash
            case .sha256: SHA256.hash(data: bytes) == hash
            case .sha384: SHA384.hash(data: bytes) == hash
            }
        }
    }

    fileprivate var rsaAlgorithm: SecKeyAlgorithm {
        switch self {
        case .sha1: .rsaSignatureMessagePKCS1v15SHA1
        case .sha256: .rsaSignatureMessagePKCS1v15SHA256
        case .sha384: .rsaSignatureMessagePKCS1v15SHA384
        }
    }
}

/// A public key, read once and used for any number of signatures.
///
/// Unchecked, because a `SecKey` never changes and may be used from any thread; CryptoKit's keys are values.
final class PublicKey: @unchecked Sendable {
    let type: KeyType
    private let key: Key

    private enum Key {
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case rsa(SecKey)
    }

    /// Reads a point of P-256 or P-384 in its uncompressed form (SEC 1, 2.3.3).
    init(_ type: KeyType, point: Span<UInt8>) throws {
        self.type = type
        do {
            switch type {
            case .p256: key = .p256(try P256.Signing.PublicKey(x963Representation: point.makeData()))
            case .p384: key = .p384(try P384.Signing.PublicKey(x963Representation: point.makeData()))
            case .rsa: throw CryptographyError.invalidPublicKey(.rsa)
            }
        } catch {
            throw CryptographyError.invalidPublicKey(type)
        }
    }

    /// Reads an RSA key in its PKCS#1 form; libcrypto wants its two numbers instead.
    init(modulus: Span<UInt8>, exponent: Span<UInt8>, encoding: Span<UInt8>) throws {
        let attributes =
            [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic] as CFDictionary
        guard let key = SecKeyCreateWithData(encoding.makeData() as CFData, attributes, nil) else {
            throw CryptographyError.invalidPublicKey(.rsa)
        }
        type = .rsa
        self.key = .rsa(key)
    }

    /// Whether the owner of the key signed the message.
    func isValid(
        _ signature: Span<UInt8>, _ form: SignatureForm, over message: Span<UInt8>, _ hash: HashAlgorithm
    ) -> Bool {
        let (signature, message) = (signature.makeData(), message.makeData())
        switch key {
        case .rsa(let key):
            return SecKeyVerifySignature(key, hash.rsaAlgorithm, message as CFData, signature as CFData, nil)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(signature, form) else { return false }
            return switch hash {
            case .sha1: key.isValidSignature(signature, for: Insecure.SHA1.hash(data: message))
            case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: message))
            }
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(signature, form) else { return false }
            return switch hash {
            case .sha1: key.isValidSignature(signature, for: Insecure.SHA1.hash(data: message))
            case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: message))
            }
        }
    }
}

/// A private key. Only test data and promotional offers are signed here.
///
/// Unchecked for the same reason as ``PublicKey``.
final class PrivateKey: @unchecked Sendable {
    let type: KeyType
    private let key: Key

    private enum Key {
        case p256(P256.Signing.PrivateKey)
        case rsa(SecKey)
    }

    /// Makes a new key: RSA of 2048 bits, or a point of P-256.
    init(generating type: KeyType) throws {
        self.type = type
        switch type {
        case .p256: key = .p256(P256.Signing.PrivateKey())
        case .rsa:
            let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048]
            guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil) else {
                throw CryptographyError.signingFailed(.rsa)
            }
            self.key = .rsa(key)
        case .p384: throw CryptographyError.signingFailed(.p384)
        }
    }

    /// Reads a P-256 key in its PKCS#8 form, as a store configuration or a `.p8` file holds it.
    init(p256 encoding: Span<UInt8>) throws {
        type = .p256
        guard let key = try? P256.Signing.PrivateKey(derRepresentation: encoding.makeData()) else {
            throw CryptographyError.invalidPrivateKey(.p256)
        }
        self.key = .p256(key)
    }

    /// The public key as certificates hold it: PKCS#1 for RSA, the uncompressed point for a curve.
    var publicKey: [UInt8] {
        switch key {
        case .p256(let key): return Array(key.publicKey.x963Representation)
        case .rsa(let key):
            let data = SecKeyCopyPublicKey(key).flatMap { SecKeyCopyExternalRepresentation($0, nil) }
            return data.map { Array($0 as Data) } ?? []
        }
    }

    /// Signs a message: with SHA-256 for a curve, with any hash for RSA.
    func signature(_ form: SignatureForm, over message: Span<UInt8>, _ hash: HashAlgorithm) throws -> [UInt8] {
        let message = message.makeData()
        switch key {
        case .rsa(let key):
            guard let signature = SecKeyCreateSignature(key, hash.rsaAlgorithm, message as CFData, nil) else {
                throw CryptographyError.signingFailed(.rsa)
            }
            return Array(signature as Data)
        case .p256(let key):
            guard hash == .sha256 else { throw CryptographyError.signingFailed(.p256) }
            let signature = try key.signature(for: SHA256.hash(data: message))
            return Array(form == .jws ? signature.rawRepresentation : signature.derRepresentation)
        }
    }
}

extension P256.Signing.ECDSASignature {
    fileprivate init(_ bytes: Data, _ form: SignatureForm) throws {
        self = try form == .jws ? Self(rawRepresentation: bytes) : Self(derRepresentation: bytes)
    }
}

extension P384.Signing.ECDSASignature {
    fileprivate init(_ bytes: Data, _ form: SignatureForm) throws {
        self = try form == .jws ? Self(rawRepresentation: bytes) : Self(derRepresentation: bytes)
    }
}

extension Span<UInt8> {
    fileprivate func makeData() -> Data { withUnsafeBufferPointer { Data($0) } }
}
#endif
