import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import ReceiptVerification

/// Whatever is accepted here, the `openssl` command accepts too; what only it accepts breaks a rule that it does not know.
@Suite("Compared with openssl", .enabled(if: OpenSSL.isAvailable))
struct OpenSSLComparisonTests {
    /// Damaged samples are dealt out, so that the tests may run side by side.
    static let shares = 0..<4

    @Test(
        "X01 X02 every sample gets the same verdict, but for our own rules", .enabled(if: Corpus.isAvailable),
        arguments: AppReceiptSampleTests.samples)
    func samples(_ sample: Sample) throws {
        let root = try sample.root.map { try Data(contentsOf: Corpus.url("receipts/\($0)")) }
        try compare(
            try Receipt(sample.data, root: root ?? Fixtures.signer.rootCertificate), try sample.data, "as it is")
    }

    @Test("X02 X03 damaged receipts get the same verdict, but for our own rules", arguments: shares)
    func damaged(_ share: Int) throws {
        let originals = try Self.originals()
        for index in stride(from: share, to: Mutation.count, by: Self.shares.count) {
            let original = originals[index % originals.count]
            var mutation = Mutation(seed: UInt64(index))
            try compare(original, mutation.damage(original.data), "seed \(index)")
        }
    }

    @Test("J01 J02 damaged signed data get the same verdict, but for our own rules", arguments: shares)
    func damagedSignedData(_ share: Int) throws {
        let original = try Token(Fixtures.signer.sign(Fixtures.transaction))
        let leaf = try Certificate(ContiguousArray(original.certificates[0]))
        // The key as openssl takes it ends in the very bits of the certificate.
        let key = Data(
            DER.element(
                .sequence, DER.element(.sequence, DER.identifier(.ecPublicKey), DER.identifier(.p256)),
                DER.bits(Array(leaf.encoding[leaf.keyBits]))))
        for index in stride(from: share, to: Mutation.count / 2, by: Self.shares.count) {
            var mutation = Mutation(seed: UInt64(index))
            try compare(original.damaged(by: &mutation), key, "seed \(index)")
        }
    }

    /// Receipts that are good, with their roots.
    private static func originals() throws -> [Receipt] {
        var receipts = [
            Receipt(try Fixtures.signer.appReceipt(Fixtures.receipt), root: Fixtures.signer.rootCertificate)
        ]
        guard Corpus.isAvailable else { return receipts }
        for sample in AppReceiptSampleTests.samples where sample.kind == "ok" && sample.path.hasSuffix(".der") {
            guard let root = sample.root, let data = try? sample.data, data.count < 10_000 else { continue }
            receipts.append(Receipt(data, root: try Data(contentsOf: Corpus.url("receipts/\(root)"))))
        }
        return receipts
    }
}

// MARK: Receipts

/// A receipt, and the root that it leads to.
private struct Receipt {
    let data: Data
    let root: Data
    /// As of when its certificates are looked at by openssl, which does not know.
    let date: Date

    init(_ data: Data, root: Data) {
        self.data = data
        self.root = root
        date = (try? AppReceipt(data: data))?.unverifiedContents.creationDate ?? Fixtures.date
    }
}

private func compare(_ receipt: Receipt, _ data: Data, _ comment: String) throws {
    let verifier = AppReceiptVerifier(
        bundleIdentifier: nil, environments: [.production, .sandbox, .xcode], roots: try TrustedRoots([receipt.root]))
    let folder = try TemporaryFolder()
    let date = (try? AppReceipt(data: data))?.unverifiedContents.creationDate ?? receipt.date
    // openssl reads no base64 here.
    let binary = data.first == 0x30 ? data : Data(base64Encoded: data, options: .ignoreUnknownCharacters) ?? data
    try binary.write(to: folder.url.appending(path: "receipt"))
    try OpenSSL.writeCertificates([receipt.root], to: "root.pem", in: folder.url)
    let answer = try OpenSSL.run(
        [
            "cms", "-verify", "-binary", "-inform", "DER", "-in", "receipt", "-CAfile", "root.pem", "-no-CApath",
            "-no-CAstore",
            "-purpose", "any", "-attime", String(Int(date.timeIntervalSince1970)), "-out", "/dev/null",
        ], in: folder.url)
    do {
        _ = try verifier.verify(data: data)
        #expect(answer == 0, "accepted here only, \(comment)")
    } catch let error as VerificationError {
        #expect(answer != 0 || error.isOwnRule, "accepted by openssl only, \(comment): \(error)")
    }
}

extension VerificationError {
    /// Whether openssl knows no such rule: what it looks at is that signatures fit, and chains to the root at the date.
    fileprivate var isOwnRule: Bool {
        switch self {
        // Receipts and certificates are read more strictly here, and receipts' contents are read at all.
        case .malformed: true
        case .undecided: false
        case .refused(let refusal):
            switch refusal {
            case .signatureMismatch, .contentDigestMismatch, .rootNotTrusted, .certificateSignatureMismatch,
                .certificateNotYetValid, .certificateExpired, .notAnAuthority, .pathTooLong, .unknownCriticalExtension:
                false
            // Among these: openssl takes names for the same that differ in upper and lower case.
            default: true
            }
        }
    }
}

// MARK: Signed data

/// The parts of a JWS, each of which can be damaged by itself: damage to the text would nearly always be found before anything
/// is compared.
private struct Token {
    var certificates: [Data]
    var signedPart: Data
    var signature: Data

    init(_ text: String) throws {
        let jws = try CompactJWS(text)
        certificates = try (jws.decodeHeader().x5c ?? []).compactMap { Data(base64Encoded: $0) }
        signedPart = Data(jws.bytes[jws.signedPart])
        signature = Data(jws.signature)
    }

    /// A copy of which one part is damaged.
    func damaged(by mutation: inout Mutation) -> Token {
        var copy = self
        let damaged = mutation.damage(signature)
        switch damaged.reduce(0, &+) % 4 {
        case 0: copy.signature = damaged
        case 1: copy.signedPart = mutation.damage(signedPart)
        case 2: copy.certificates[0] = mutation.damage(certificates[0])
        default: copy.certificates[1] = mutation.damage(certificates[1])
        }
        return copy
    }
}

/// Compares the verdicts on the chain, and on the signature under the key of a certificate that was not damaged.
private func compare(_ token: Token, _ key: Data, _ comment: String) throws {
    let folder = try TemporaryFolder()
    try OpenSSL.writeCertificates([Fixtures.signer.rootCertificate], to: "root.pem", in: folder.url)
    try OpenSSL.writeCertificates([token.certificates[0]], to: "leaf.pem", in: folder.url)
    try OpenSSL.writeCertificates([token.certificates[1]], to: "intermediate.pem", in: folder.url)
    let answer = try OpenSSL.run(
        [
            "verify", "-CAfile", "root.pem", "-no-CApath", "-no-CAstore", "-untrusted", "intermediate.pem", "-purpose",
            "any",
            "-attime", String(Int(Fixtures.date.timeIntervalSince1970)), "leaf.pem",
        ], in: folder.url)
    do {
        let chain = try CertificateChain(
            from: Certificate(ContiguousArray(token.certificates[0])),
            through: [Certificate(ContiguousArray(token.certificates[1]))], to: Fixtures.signer.roots, for: .signedData)
        try chain.checkValidity(at: Fixtures.date)
        #expect(answer == 0, "chain accepted here only, \(comment)")
    } catch let refusal as Refusal {
        #expect(
            answer != 0 || VerificationError.refused(refusal).isOwnRule,
            "chain accepted by openssl only, \(comment): \(refusal)")
    } catch is MalformedInput {
        // Certificates are read more strictly here.
    }

    guard token.signature.count == 64 else { return }
    let (numbers, message) = (ContiguousArray(token.signature), ContiguousArray(token.signedPart))
    try Data(DER.signature(numbers)).write(to: folder.url.appending(path: "signature"))
    try token.signedPart.write(to: folder.url.appending(path: "message"))
    try key.write(to: folder.url.appending(path: "key.der"))
    let signatureAnswer = try OpenSSL.run(
        ["dgst", "-sha256", "-verify", "key.der", "-keyform", "DER", "-signature", "signature", "message"],
        in: folder.url)
    let publicKey = try PublicKey(.p256, point: ContiguousArray(key.suffix(65)).span)
    let isValid = publicKey.isValid(numbers.span, .jws, over: message.span, .sha256)
    #expect(isValid == (signatureAnswer == 0), "signature, \(comment)")
}

extension DER {
    /// The two numbers of a JWS's signature as certificates have them.
    fileprivate static func signature(_ numbers: ContiguousArray<UInt8>) -> [UInt8] {
        let parts = [numbers.prefix(32), numbers.suffix(32)].map { number in
            let digits = Array(number.drop { $0 == 0 })
            return element(.integer, digits.first.map { $0 & 0x80 == 0 } ?? false ? digits : [0] + digits)
        }
        return element(.sequence, parts[0], parts[1])
    }
}
