import Foundation
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Cryptography of the platform")
struct CryptographyTests {
    @Test(
        "The hashes of FIPS 180-4's example are right",
        arguments: [
            (HashAlgorithm.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
        ])
    func hashes(_ hash: HashAlgorithm, _ expected: String) {
        let bytes = ContiguousArray("abc".utf8)
        let found = hash.hash(bytes.span)
        #expect(found.hexadecimal == expected)
    }

    @Test(
        "A signature is valid under its key, form, hash and message, and otherwise not",
        arguments: [KeyType.p256, .rsa])
    func signatures(_ type: KeyType) throws {
        let (key, other) = (try PrivateKey(generating: type), try PrivateKey(generating: type))
        let (message, changed) = (ContiguousArray("message".utf8), ContiguousArray("massage".utf8))
        let signature = ContiguousArray(try key.signature(.certificate, over: message.span, .sha256))
        let publicKey = try key.makePublicKey()
        #expect(publicKey.accepts(signature, .certificate, message, .sha256))
        #expect(!publicKey.accepts(signature, .certificate, changed, .sha256))
        #expect(!publicKey.accepts(signature, .certificate, message, .sha1))
        #expect(!publicKey.accepts(signature, .jws, message, .sha256))
        #expect(try !other.makePublicKey().accepts(signature, .certificate, message, .sha256))
        #expect(!publicKey.accepts(ContiguousArray(), .certificate, message, .sha256))
        guard type == .p256 else { return }
        let numbers = ContiguousArray(try key.signature(.jws, over: message.span, .sha256))
        #expect(numbers.count == 64)
        #expect(publicKey.accepts(numbers, .jws, message, .sha256))
        #expect(!publicKey.accepts(numbers, .certificate, message, .sha256))
        #expect(!publicKey.accepts(ContiguousArray(repeating: 0, count: 64), .jws, message, .sha256))
        #expect(!publicKey.accepts(ContiguousArray(repeating: 0xFF, count: 64), .jws, message, .sha256))
    }

    @Test("X03 points that lie on no curve are no keys")
    func points() {
        for (type, size) in [(KeyType.p256, 65), (.p384, 97)] {
            var point = ContiguousArray<UInt8>(repeating: 1, count: size)
            point[0] = 4
            #expect(throws: CryptographyError.invalidPublicKey(type)) { try PublicKey(type, point: point.span) }
            #expect(throws: CryptographyError.invalidPublicKey(type)) {
                try PublicKey(type, point: ContiguousArray([4]).span)
            }
        }
    }

    @Test("P-384 and RSA with SHA-1 are verified")
    func rootsOfApple() throws {
        // Each root is signed by itself: the first with SHA-1, the third with P-384.
        for certificate in TrustedRoots.apple.certificates {
            let hash: HashAlgorithm = certificate.signatureAlgorithm == .sha1WithRSA ? .sha1 : .sha384
            let bytes = certificate.encoding.span
            let key = try certificate.makePublicKey()
            let signature = bytes.extracting(certificate.signature)
            let isValid = key.isValid(signature, .certificate, over: bytes.extracting(certificate.signedPart), hash)
            let isTooEasy = key.isValid(signature, .certificate, over: bytes.extracting(certificate.subject), hash)
            #expect(isValid && !isTooEasy)
        }
    }
}

extension PublicKey {
    fileprivate func accepts(
        _ signature: ContiguousArray<UInt8>, _ form: SignatureForm, _ message: ContiguousArray<UInt8>,
        _ hash: HashAlgorithm
    ) -> Bool {
        isValid(signature.span, form, over: message.span, hash)
    }
}

extension PrivateKey {
    /// The public half, read from its encoding.
    fileprivate func makePublicKey() throws -> PublicKey {
        let encoding = ContiguousArray(publicKey)
        guard type == .rsa else { return try PublicKey(type, point: encoding.span) }
        var reader = ASN1Reader(0..<encoding.count, rules: .distinguished)
        var numbers = reader.inside(try reader.read(.sequence, "a key", from: encoding.span))
        let modulus = try numbers.read(.integer, "a modulus", from: encoding.span)
        let exponent = try numbers.read(.integer, "an exponent", from: encoding.span)
        return try PublicKey(
            modulus: encoding.span.extracting(modulus.content), exponent: encoding.span.extracting(exponent.content),
            encoding: encoding.span)
    }
}
