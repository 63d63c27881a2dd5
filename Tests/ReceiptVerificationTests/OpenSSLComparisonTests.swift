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

    @Test(
        "J01 J02 every sample of signed data gets the same verdict, but for our own rules",
        .enabled(if: Corpus.isAvailable), arguments: SignedDataSampleTests.samples)
    func signedDataSamples(_ sample: Sample) throws {
        let text = String(decoding: try sample.data, as: UTF8.self)
        let root = try sample.root.map { try Data(contentsOf: Corpus.url("receipts/\($0)")) }
        let date = (try? SignedTransaction(text))?.unverifiedClaims.signedDate ?? Fixtures.date
        let verifier = SignedDataVerifier(
            bundleIdentifier: nil, roots: try root.map { try TrustedRoots([$0]) } ?? .apple)
        let result = Result { try verifier.checkSignature(ofJWS: text, at: date) }
        guard let token = try? Token(text), token.certificates.count > 1 else {
            #expect(throws: VerificationError.self, "There is nothing for openssl to look at") { try result.get() }
            return
        }
        let folder = try TemporaryFolder()
        let appleRoots = TrustedRoots.apple.certificates.map { Data($0.encoding) }
        let isGood =
            try OpenSSL.acceptsChain(token, to: root.map { [$0] } ?? appleRoots, at: date, in: folder.url)
            && OpenSSL.acceptsSignature(token, in: folder.url)
        do {
            try result.get()
            #expect(isGood, "accepted here only")
        } catch let error as VerificationError {
            #expect(!isGood || error.isOwnRule, "accepted by openssl only: \(error)")
        }
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
        for index in stride(from: share, to: Mutation.count, by: Self.shares.count) {
            var mutation = Mutation(seed: UInt64(index))
            try compare(original.damaged(by: &mutation), original.certificates[0], "seed \(index)")
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
private func compare(_ token: Token, _ signer: Data, _ comment: String) throws {
    let folder = try TemporaryFolder()
    let isGoodChain = try OpenSSL.acceptsChain(
        token, to: [Fixtures.signer.rootCertificate], at: Fixtures.date, in: folder.url)
    do {
        let chain = try CertificateChain(
            from: Certificate(ContiguousArray(token.certificates[0])),
            through: [Certificate(ContiguousArray(token.certificates[1]))], to: Fixtures.signer.roots, for: .signedData)
        try chain.checkValidity(at: Fixtures.date)
        #expect(isGoodChain, "chain accepted here only, \(comment)")
    } catch let refusal as Refusal {
        #expect(
            !isGoodChain || VerificationError.refused(refusal).isOwnRule,
            "chain accepted by openssl only, \(comment): \(refusal)")
    } catch is MalformedInput {
        // Certificates are read more strictly here.
    }

    guard token.signature.count == 64 else { return }
    var signed = token
    signed.certificates[0] = signer
    let key = try Certificate(ContiguousArray(signer)).makePublicKey()
    let isValid = key.isValid(
        ContiguousArray(token.signature).span, .jws, over: ContiguousArray(token.signedPart).span, .sha256)
    #expect(try isValid == OpenSSL.acceptsSignature(signed, in: folder.url), "signature, \(comment)")
}

extension OpenSSL {
    /// Whether the first certificate leads through the second one to a root.
    fileprivate static func acceptsChain(
        _ token: Token, to roots: [Data], at date: Date, in folder: URL
    ) throws -> Bool {
        try writeCertificates(roots, to: "root.pem", in: folder)
        try writeCertificates([token.certificates[0]], to: "leaf.pem", in: folder)
        try writeCertificates([token.certificates[1]], to: "intermediate.pem", in: folder)
        return try run(
            [
                "verify", "-CAfile", "root.pem", "-no-CApath", "-no-CAstore", "-untrusted", "intermediate.pem",
                "-purpose", "any", "-attime", String(Int(date.timeIntervalSince1970)), "leaf.pem",
            ], in: folder) == 0
    }

    /// Whether the first certificate's key made the signature.
    fileprivate static func acceptsSignature(_ token: Token, in folder: URL) throws -> Bool {
        guard token.signature.count == 64 else { return false }
        try writeCertificates([token.certificates[0]], to: "signer.pem", in: folder)
        try Data(DER.signature(ContiguousArray(token.signature))).write(to: folder.appending(path: "signature"))
        try token.signedPart.write(to: folder.appending(path: "message"))
        guard try run(["x509", "-in", "signer.pem", "-pubkey", "-noout", "-out", "key.pem"], in: folder) == 0 else {
            return false
        }
        return try run(
            ["dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "message"], in: folder) == 0
    }
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
