import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Verifying app receipts")
struct AppReceiptVerifierTests {
    @Test("X01 a receipt that is genuine and for this app, version and device is verified")
    func genuine() throws {
        let data = try Fixtures.signer.appReceipt(Fixtures.receipt, deviceIdentifier: Fixtures.device)
        let verifier = Fixtures.receiptVerifier(
            applicationVersion: "7", appAppleID: 1_234_567_890, device: Fixtures.device)
        let receipt = try verifier.verify(data: data)
        #expect(receipt.validationDate == Fixtures.date)
        #expect(!receipt.isFromLocalTesting)
        #expect(receipt.environment == .production)
        #expect(receipt.purchases.map(\.productIdentifier).sorted() == ["com.example.coins", "com.example.pro"])
    }

    @Test("X01 checks that are not asked for are not made")
    func unchecked() throws {
        var contents = Fixtures.receipt
        contents.bundleIdentifier = nil
        contents.applicationVersion = nil
        contents.appAppleID = nil
        contents.receiptType = nil
        let verifier = Fixtures.receiptVerifier(bundleIdentifier: nil)
        #expect(try verifier.verify(data: Fixtures.signer.appReceipt(contents)).bundleIdentifier == nil)
    }

    @Test("X02 a receipt for another app, version, device or environment is refused for that reason")
    func wrongRecipient() async throws {
        let data = try Fixtures.signer.appReceipt(Fixtures.receipt, deviceIdentifier: Fixtures.device)
        func refusal(_ verifier: AppReceiptVerifier) async -> Refusal? {
            await ReceiptVerificationTests.refusal { try verifier.verify(data: data) }
        }
        #expect(
            await refusal(Fixtures.receiptVerifier(bundleIdentifier: "com.example.other"))
                == .bundleIdentifierMismatch(found: "com.example.app", expected: "com.example.other"))
        #expect(
            await refusal(Fixtures.receiptVerifier(applicationVersion: "8"))
                == .applicationVersionMismatch(found: "7", expected: "8"))
        #expect(
            await refusal(Fixtures.receiptVerifier(appAppleID: 1))
                == .appAppleIDMismatch(found: 1_234_567_890, expected: 1))
        #expect(await refusal(Fixtures.receiptVerifier(device: Data([1, 2, 3]))) == .deviceMismatch)
        #expect(
            await refusal(Fixtures.receiptVerifier(environments: [.sandbox])) == .environmentNotAccepted(.production))
    }

    @Test("X02 a receipt that lacks the hash or what is hashed is for no device", arguments: [4, 5])
    func noDeviceHash(missing type: Int) async throws {
        var contents = Fixtures.receipt
        contents.opaqueValue = type == 4 ? nil : Data([1, 2, 3])
        contents.deviceHash = type == 5 ? nil : Data(repeating: 0, count: 20)
        let data = try Fixtures.signer.appReceipt(contents)
        let verifier = Fixtures.receiptVerifier(device: Fixtures.device)
        #expect(await refusal { try verifier.verify(data: data) } == .deviceMismatch)
        contents.opaqueValue = nil
        contents.deviceHash = nil
        let bare = try Fixtures.signer.appReceipt(contents)
        #expect(await refusal { try verifier.verify(data: bare) } == .deviceMismatch)
    }

    @Test("X02 the reason for a refusal names what was found and what was expected")
    func reasons() {
        for refusal in [
            Refusal.bundleIdentifierMismatch(found: "4", expected: "5"),
            .applicationVersionMismatch(found: "4", expected: "5"), .appAppleIDMismatch(found: 4, expected: 5),
        ] { #expect(refusal.description.hasSuffix("is 4, not 5."), "\(refusal)") }
        #expect(
            Refusal.kindMismatch(found: .renewalInfo, expected: .transaction).description
                .hasSuffix("renewalInfo, not transaction."))
    }

    @Test("X02 a receipt signed by a stranger is refused, and so is a test receipt under Apple's roots")
    func foreignRoot() async throws {
        let foreign = try Fixtures.stranger.appReceipt(Fixtures.receipt)
        let own = try Fixtures.signer.appReceipt(Fixtures.receipt)
        // The stranger's certificates bear the same names, so that only the signature tells.
        #expect(
            await refusal { try Fixtures.receiptVerifier().verify(data: foreign) }
                == .certificateSignatureMismatch(.intermediate))
        #expect(
            await refusal { try AppReceiptVerifier(bundleIdentifier: nil).verify(data: own) } == .rootNotTrusted)
    }

    @Test("X02 a receipt from before or after its certificates' time is refused, whatever the time is now")
    func outOfTime() async throws {
        let signer = try TestSigner(validFrom: Fixtures.date, until: Fixtures.date + 3600)
        let verifier = AppReceiptVerifier(bundleIdentifier: nil, roots: signer.roots, now: { Fixtures.date + 1e9 })
        func verify(created: Date?, at date: Date? = nil) async -> Refusal? {
            var contents = Fixtures.receipt
            contents.creationDate = created
            return await refusal { try verifier.verify(data: signer.appReceipt(contents), at: date) }
        }
        #expect(await verify(created: Fixtures.date) == nil)
        #expect(await verify(created: Fixtures.date + 3600) == nil)
        #expect(
            await verify(created: Fixtures.date + 3601) == .certificateExpired(.leaf, at: Fixtures.date + 3601))
        #expect(await verify(created: Fixtures.date - 1) == .certificateNotYetValid(.leaf, at: Fixtures.date - 1))
        #expect(
            await verify(created: Fixtures.date, at: Fixtures.date + 3601)
                == .certificateExpired(.leaf, at: Fixtures.date + 3601))
        #expect(await verify(created: nil) == .creationDateMissing)
    }

    @Test("X02 a receipt whose own term is over is refused, as of now or of the date given")
    func ownTerm() async throws {
        var contents = Fixtures.receipt
        contents.expirationDate = Fixtures.date + 10
        let data = try Fixtures.signer.appReceipt(contents)
        let late = Fixtures.receiptVerifier(now: Fixtures.date + 10)
        #expect(
            try Fixtures.receiptVerifier(now: Fixtures.date + 9).verify(data: data).expirationDate == Fixtures.date + 10
        )
        #expect(await refusal { try late.verify(data: data) } == .receiptExpired(Fixtures.date + 10))
        #expect(try late.verify(data: data, at: Fixtures.date + 9).contents.purchases.count == 2)
    }

    @Test("X01 a receipt with no environment counts as from production")
    func noEnvironment() async throws {
        var contents = Fixtures.receipt
        contents.receiptType = nil
        let data = try Fixtures.signer.appReceipt(contents)
        #expect(try Fixtures.receiptVerifier(environments: [.production]).verify(data: data).environment == nil)
        #expect(
            await refusal { try Fixtures.receiptVerifier(environments: [.sandbox]).verify(data: data) }
                == .environmentNotAccepted(nil))
    }

    @Test(
        "X01 each of Apple's names for an environment is understood",
        arguments: [
            ("Production", .production), ("ProductionVPP", .production), ("ProductionSandbox", .sandbox),
            ("ProductionVPPSandbox", .sandbox), ("Sandbox", .sandbox), ("Xcode", .xcode),
            ("Moon", StoreEnvironment(rawValue: "Moon")),
        ] as [(String, StoreEnvironment)])
    func environment(_ name: String, _ environment: StoreEnvironment) {
        var contents = ReceiptContents()
        contents.receiptType = name
        #expect(contents.environment == environment)
    }

    @Test("X02 a trusted certificate does not itself sign for production, not even after it did for Xcode")
    func trustedSigner() async throws {
        // As if somebody had Xcode's certificate for a root: its key is known to everybody.
        let signer = try TestSigner()
        let roots = try TrustedRoots([Data(signer.receiptSigner.encoding)])
        let verifier = AppReceiptVerifier(
            bundleIdentifier: nil, environments: [.xcode, .production], roots: roots, now: { Fixtures.date })
        var contents = Fixtures.receipt
        contents.receiptType = "Xcode"
        #expect(try verifier.verify(data: signer.appReceipt(contents)).isFromLocalTesting)
        contents.receiptType = "Production"
        let forged = try signer.appReceipt(contents)
        #expect(await refusal { try verifier.verify(data: forged) } == .rootNotTrusted)
    }

    @Test("X01 base64 text of a receipt is read, in lines or not")
    func base64() throws {
        let data = try Fixtures.signer.appReceipt(Fixtures.receipt)
        for text in [data.base64EncodedString(), data.base64EncodedString(options: .lineLength64Characters) + "\n"] {
            #expect(try Fixtures.receiptVerifier().verify(data: Data(text.utf8)).purchases.count == 2)
        }
    }

    @Test("The certificates of a receipt and of a JWS can be looked at")
    func certificates() throws {
        let signer = Fixtures.signer
        let receipt = try AppReceipt(data: signer.appReceipt(Fixtures.receipt))
        let transaction = try SignedTransaction(signer.sign(Fixtures.transaction))
        let authorities = ["StoreKitManager Test Authority", "StoreKitManager Test Root"]
        #expect(
            try receipt.unverifiedCertificates().map(\.commonName)
                == ["StoreKitManager Test Receipt Signing"] + authorities)
        let certificates = try transaction.unverifiedCertificates()
        #expect(certificates.map(\.commonName) == ["StoreKitManager Test Transaction Signing"] + authorities)
        #expect(certificates[2].encoding == signer.rootCertificate)
        #expect(certificates[0].notBefore == Date(timeIntervalSince1970: 0))
        #expect(certificates[0].notAfter == Date(timeIntervalSince1970: 4e9))
    }

    @Test("X01 many threads verify with one verifier")
    func threads() async throws {
        let data = try Fixtures.signer.appReceipt(Fixtures.receipt)
        let verifier = Fixtures.receiptVerifier()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try verifier.verify(data: data).purchases.count } }
            for try await count in group { #expect(count == 2) }
        }
    }
}
