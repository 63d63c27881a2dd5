import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

@Suite("Genuine and made signed data", .enabled(if: Corpus.isAvailable))
struct SignedDataSampleTests {
    static let samples = Sample.indexed("jws/", "jws-thirdparty") + Sample.synthetic("jws")

    /// What is right where the index leaves it open: dates of any size and doubled keys, of which the first counts, are read.
    static let acceptedByPolicy = ["synthetic/jws/i55-huge-dates.jws", "synthetic/jws/i57-duplicate-keys.jws"]

    static func verify(_ sample: Sample, environments: Set<StoreEnvironment>? = nil) async throws -> Bool {
        let verifier = SignedDataVerifier(
            bundleIdentifier: sample.bundleIdentifier, appAppleID: sample.appAppleID,
            environments: environments ?? [sample.environment], roots: try sample.roots)
        let text = String(decoding: try sample.data, as: UTF8.self)
        return switch try #require(sample.dataKind) {
        case .transaction: try verifier.verify(SignedTransaction(text)).isFromLocalTesting
        case .renewalInfo: try verifier.verify(SignedRenewalInfo(text)).isFromLocalTesting
        case .appTransaction: try verifier.verify(SignedAppTransaction(text)).isFromLocalTesting
        case .notification: try verifier.verify(SignedNotification(text)).notification.isFromLocalTesting
        }
    }

    @Test("J01 J02 each sample gets the verdict that is right", arguments: samples)
    func verdict(_ sample: Sample) async throws {
        let isAccepted = sample.kind == "ok" || Self.acceptedByPolicy.contains(sample.path)
        do {
            #expect(try await !Self.verify(sample))
            #expect(isAccepted, "\(sample.verdict)")
        } catch {
            #expect(!isAccepted, "\(error)")
            #expect(error is VerificationError || error is MalformedInput)
        }
    }

    @Test(
        "J03 Xcode's data are accepted only where asked for, and marked so",
        arguments: samples.filter { $0.kind == "xcode" })
    func xcode(_ sample: Sample) async throws {
        #expect(try await Self.verify(sample, environments: [.xcode]))
        #expect(
            await refusal { try await Self.verify(sample, environments: [.production, .sandbox, .localTesting]) }
                == .environmentNotAccepted(.xcode))
    }

    @Test(
        "J02 each refused sample has the reason that is its own",
        arguments: [
            ("i01-alg-none", .algorithmNotAllowed("none")),
            ("i02-alg-HS256-with-leaf-key", .algorithmNotAllowed("HS256")),
            ("i03-alg-ES384", .algorithmNotAllowed("ES384")), ("i05-alg-lowercase", .algorithmNotAllowed("es256")),
            ("i07-x5c-empty", .chainLength(0)), ("i08-x5c-2", .chainLength(2)), ("i09-x5c-4", .chainLength(4)),
            ("i10-x5c-order", .certificateAlgorithmNotAllowed(.leaf)),
            ("i15-leaf-without-6.11.1", .markerMissing(.leaf)),
            ("i16-intermediate-without-6.2.1", .markerMissing(.intermediate)),
            ("i18-foreign-root-real-x5c2", .certificateSignatureMismatch(.intermediate)),
            ("i19-signedDate-after-leaf", .certificateExpired(.leaf, at: Date(timeIntervalSince1970: 1_748_736_000))),
            (
                "i20-signedDate-before-leaf",
                .certificateNotYetValid(.leaf, at: Date(timeIntervalSince1970: 1_654_041_600))
            ),
            ("i24-payload-changed", .signatureMismatch), ("i26-signature-der", .signatureMismatch),
            ("i27-signature-63", .signatureMismatch), ("i28-signature-65", .signatureMismatch),
            ("i30-signature-empty", .signatureMismatch), ("i41-crit-header", .unknownCriticalHeader),
            ("i43-leaf-RSA", .certificateAlgorithmNotAllowed(.leaf)),
            (
                "i45-wrong-bundle",
                .bundleIdentifierMismatch(found: "com.example.other", expected: "com.example.synthetic")
            ),
            ("i46-wrong-environment", .environmentNotAccepted(.production)),
            ("i47-no-environment", .environmentNotAccepted(nil)),
            ("i48-no-bundle", .bundleIdentifierMismatch(found: nil, expected: "com.example.synthetic")),
            (
                "i51-notification-wrong-bundle",
                .bundleIdentifierMismatch(found: "com.example.other", expected: "com.example.synthetic")
            ),
            ("i52-notification-without-data", .bundleIdentifierMismatch(found: nil, expected: "com.example.synthetic")),
            ("i53-xcode-as-sandbox", .chainLength(1)),
            ("i54-leaf-unknown-critical-extension", .unknownCriticalExtension(.leaf, "1.2.3.4.5.6")),
        ] as [(String, Refusal)])
    func reason(_ name: String, _ expected: Refusal) async throws {
        let sample = try #require(Self.samples.first { $0.path == "synthetic/jws/\(name).jws" })
        #expect(await refusal { try await Self.verify(sample) } == expected)
    }

    @Test("J01 Apple's own signature, from 2023, is good at its date and not good now")
    func genuine() async throws {
        let url = Corpus.url("receipts/jws/apple-genuine-sandbox-renewalInfo-2023-05.jws")
        let signed = try SignedRenewalInfo(String(decoding: Data(contentsOf: url), as: UTF8.self))
        let verifier = SignedDataVerifier(bundleIdentifier: nil)
        let info = try verifier.verify(signed)
        #expect(info.originalTransactionIdentifier == "2000000335310644")
        #expect(info.autoRenewStatus == .on && info.environment == .sandbox)
        #expect(info.signedDate == Date(timeIntervalSince1970: 1_684_822_778.492))
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        #expect(await refusal { try verifier.verify(signed, at: now) } == .certificateExpired(.leaf, at: now))
    }

    @Test(
        "J01 every claim that Apple documents is decoded and written again",
        arguments: Corpus.files(in: "receipts/claims", endingIn: ".json"))
    func claims(_ name: String) throws {
        let data = try Data(contentsOf: Corpus.url("receipts/claims/\(name)"))
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        encoder.dateEncodingStrategy = .millisecondsSince1970
        func check<Claims: SignedClaims>(_ type: Claims.Type) throws {
            // Not yet claims of this package: the details of Advanced Commerce, which remain in the payload.
            let expected = try JSONValue(data: data).replacing([.key("advancedCommerceInfo")], with: nil)
            let found = try JSONValue(data: encoder.encode(decoder.decode(Claims.self, from: data)))
            #expect(try Self.comparable(found) == Self.comparable(expected))
        }
        switch name {
        case _ where name.contains("Notification"): try check(NotificationClaims.self)
        case _ where name.contains("RenewalInfo"): try check(RenewalInfoClaims.self)
        case "appTransaction.json": try check(AppTransactionClaims.self)
        case _ where name.contains("Transaction"): try check(TransactionClaims.self)
        default: break
        }
    }

    /// UUIDs are equal in upper and lower case.
    private static func comparable(_ value: JSONValue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self).lowercased()
    }
}
