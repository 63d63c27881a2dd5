import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

@Suite("Genuine and made receipts", .enabled(if: Corpus.isAvailable))
struct AppReceiptSampleTests {
    static let samples = Sample.indexed("pkcs7/", "pkcs7-xcode/", "pkcs7-thirdparty") + Sample.synthetic("pkcs7")

    /// What is right where the index leaves it open: base64 is read, everything else refused.
    static let acceptedByPolicy = ["synthetic/pkcs7/m11-base64-text-of-valid.der"]

    @Test("X01 X02 X03 each sample gets the verdict that is right", arguments: samples)
    func verdict(_ sample: Sample) throws {
        let verifier = AppReceiptVerifier(
            bundleIdentifier: sample.bundleIdentifier, deviceIdentifier: sample.device, roots: try sample.roots)
        let data = try sample.data
        let result = Result { try verifier.verify(data: data) }
        let isAccepted = sample.kind == "ok" || Self.acceptedByPolicy.contains(sample.path)
        #expect(((try? result.get()) != nil) == isAccepted, "\(sample.verdict): \(result)")
        if let count = sample.purchaseCount, let receipt = try? result.get() {
            #expect(receipt.purchases.count == count)
        }
        if case .failure(let error) = result { #expect(error is VerificationError) }
    }

    @Test(
        "X02 each refused sample has the reason that is its own",
        arguments: [
            ("i01-content-flipped", .signatureMismatch),
            ("i02-signature-flipped", .signatureMismatch),
            ("i03-foreign-root-same-names", .certificateSignatureMismatch(.intermediate)),
            ("i04-leaf-without-6.11.1", .markerMissing(.leaf)),
            (
                "i06-created-after-leaf-expiry",
                .certificateExpired(.leaf, at: Date(timeIntervalSince1970: 1_748_779_200))
            ),
            (
                "i07-created-before-leaf-validity",
                .certificateNotYetValid(.leaf, at: Date(timeIntervalSince1970: 1_654_084_800))
            ),
            ("i10-chain-shift-with-oids", .chainLength(4)),
            ("i12-no-signer-infos", .signerCount(0)),
            ("i14-messageDigest-mismatch", .contentDigestMismatch),
            ("i15-signedAttrs-without-messageDigest", .signedAttributesIncomplete),
            ("i16-second-signer-bad", .signerCount(2)),
            ("i20-leaf-unknown-critical-extension", .unknownCriticalExtension(.leaf, "1.2.3.4.5.6")),
            ("i21-path-length-exceeded", .chainLength(4)),
            ("i22-md5", .digestNotAllowed("1.2.840.113549.2.5")),
            ("v17-sha512", .digestNotAllowed("2.16.840.1.101.3.4.2.3")),
            ("i24-no-bundle-id", .bundleIdentifierMismatch(found: nil, expected: "com.example.synthetic")),
            ("i27-no-creation-date", .creationDateMissing),
            ("i28-empty-creation-date", .creationDateMissing),
            ("x02-env-xcode-apple-chain", .environmentNotAccepted(.xcode)),
        ] as [(String, Refusal)])
    func reason(_ name: String, _ expected: Refusal) async throws {
        let sample = try #require(Self.samples.first { $0.path == "synthetic/pkcs7/\(name).der" })
        let verifier = AppReceiptVerifier(bundleIdentifier: sample.bundleIdentifier, roots: try sample.roots)
        let data = try sample.data
        #expect(await refusal { try verifier.verify(data: data) } == expected)
    }

    @Test(
        "X03 each damaged sample has the place of the damage",
        arguments: [
            ("i13-detached", 56), ("i23-payload-sequence-not-set", 66), ("i25-duplicate-bundle-id", 897),
            ("i26-iap-truncated", 575), ("i29-garbage-creation-date", 402), ("m01-empty", 0), ("m03-truncated-half", 0),
            ("m08-nested-1000-definite", 4), ("m09-not-signedData", 4), ("m10-html", 0),
            ("m12-indefinite-without-end", 0), ("m13-random", 1),
        ])
    func place(_ name: String, _ offset: Int) async throws {
        let data = try Data(contentsOf: Corpus.url("receipts/synthetic/pkcs7/\(name).der"))
        #expect(await malformation { try AppReceipt(data: data) }?.offset == offset)
    }

    @Test("X01 every attribute is decoded as an independent reader decodes it", arguments: samples.filter(\.hasPayload))
    func fields(_ sample: Sample) throws {
        let expected = try JSONDecoder().decode(DecodedPayload.self, from: Data(contentsOf: sample.payload))
        let contents = try AppReceipt(data: sample.data).unverifiedContents
        #expect(contents.purchases.count == expected.in_app.count)
        try expected.check(contents)
        for (purchase, attributes) in zip(contents.purchases, expected.in_app) {
            try DecodedPayload.check(purchase, attributes)
        }
    }

    @Test(
        "X01 Xcode's receipts are accepted only with its certificate as a root and its environment", arguments: samples)
    func xcode(_ sample: Sample) async throws {
        guard sample.kind == "xcode" else { return }
        let data = try sample.data
        let root = try TrustedRoots([Data(contentsOf: Corpus.url("receipts/certs/StoreKitTestCertificate.cer"))])
        func verifier(_ environments: Set<StoreEnvironment>, _ roots: TrustedRoots) -> AppReceiptVerifier {
            AppReceiptVerifier(bundleIdentifier: sample.bundleIdentifier, environments: environments, roots: roots)
        }
        #expect(try verifier([.xcode], root).verify(data: data).isFromLocalTesting)
        #expect(
            await refusal { try verifier([.production, .sandbox], root).verify(data: data) }
                == .environmentNotAccepted(.xcode))
        #expect(await refusal { try verifier([.xcode], .apple).verify(data: data) } == .rootNotTrusted)
    }

    @Test(
        "X01 a receipt that is decoded and written again says the same", arguments: samples.filter { $0.kind == "ok" })
    func roundTrip(_ sample: Sample) throws {
        let contents = try AppReceipt(data: sample.data).unverifiedContents
        let again = try AppReceipt(data: Fixtures.signer.appReceipt(contents)).unverifiedContents
        #expect(again.bundleIdentifier == contents.bundleIdentifier)
        #expect(again.creationDate == contents.creationDate)
        #expect(Set(again.otherAttributes) == Set(contents.otherAttributes))
        #expect(
            Set(again.purchases.map { Set($0.otherAttributes) })
                == Set(contents.purchases.map { Set($0.otherAttributes) }))
        #expect(
            again.purchases.map(\.transactionIdentifier).sorted()
                == contents.purchases.map(\.transactionIdentifier).sorted())
    }
}

extension Sample {
    /// The decoded payload beside the sample.
    var payload: URL {
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return Corpus.url("receipts/payloads/\(name).json")
    }

    var hasPayload: Bool { FileManager.default.fileExists(atPath: payload.path) }
}
