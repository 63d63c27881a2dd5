import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Verifying signed data")
struct SignedDataVerifierTests {
    private let signer = Fixtures.signer

    @Test("J01 a transaction, a renewal info, an app transaction and a notification are verified")
    func genuine() async throws {
        let verifier = Fixtures.dataVerifier(appAppleID: 1_234_567_890)
        let transaction = try verifier.verify(SignedTransaction(signer.sign(Fixtures.transaction)))
        #expect(transaction.claims == Fixtures.transaction)
        #expect(transaction.validationDate == Fixtures.date && !transaction.isFromLocalTesting)
        let renewalInfo = try verifier.verify(SignedRenewalInfo(signer.sign(Fixtures.renewalInfo)))
        #expect(renewalInfo.claims == Fixtures.renewalInfo)
        let app = try verifier.verify(SignedAppTransaction(signer.sign(Fixtures.appTransaction)))
        #expect(app.claims == Fixtures.appTransaction && app.originalPlatform == .iOS)
        let notification = try verifier.verify(SignedNotification(signer.sign(Fixtures.notification())))
        #expect(notification.notification.claims == Fixtures.notification())
        #expect(notification.type == .didRenew && notification.transaction == nil)
    }

    @Test("J01 what is nested in a notification is verified too")
    func nested() async throws {
        var data = NotificationClaims.SubscriptionData()
        data.signedTransaction = try signer.sign(Fixtures.transaction)
        data.signedRenewalInfo = try signer.sign(Fixtures.renewalInfo)
        var claims = Fixtures.notification(data)
        let verifier = Fixtures.dataVerifier()
        let verified = try verifier.verify(SignedNotification(signer.sign(claims)))
        #expect(verified.transaction?.claims == Fixtures.transaction)
        #expect(verified.renewalInfo?.claims == Fixtures.renewalInfo)

        claims.data?.signedRenewalInfo = try Fixtures.stranger.sign(Fixtures.renewalInfo)
        let forged = try SignedNotification(signer.sign(claims))
        #expect(await refusal { try verifier.verify(forged) } == .certificateSignatureMismatch(.intermediate))
        claims.data?.signedRenewalInfo = "a.b"
        let damaged = try SignedNotification(signer.sign(claims))
        #expect(
            await malformation { try verifier.verify(damaged) }?.part == "the renewalInfo in the notification")
        claims.data?.signedRenewalInfo = data.signedTransaction
        let exchanged = try SignedNotification(signer.sign(claims))
        #expect(
            await refusal { try verifier.verify(exchanged) }
                == .kindMismatch(found: .transaction, expected: .renewalInfo))
    }

    @Test("J01 the app that a notification is about is told by the first of its parts")
    func notificationParts() async throws {
        var claims = NotificationClaims()
        claims.signedDate = Fixtures.date
        var token = NotificationClaims.ExternalPurchaseToken()
        token.bundleIdentifier = Fixtures.bundleIdentifier
        token.externalPurchaseIdentifier = "SANDBOX_1"
        claims.externalPurchaseToken = token
        let sandbox = Fixtures.dataVerifier(environments: [.sandbox])
        #expect(try sandbox.verify(SignedNotification(signer.sign(claims))).environment == .sandbox)
        claims.externalPurchaseToken?.externalPurchaseIdentifier = "1"
        let signed = try SignedNotification(signer.sign(claims))
        #expect(await refusal { try sandbox.verify(signed) } == .environmentNotAccepted(.production))
        claims.data = NotificationClaims.SubscriptionData()
        let empty = try SignedNotification(signer.sign(claims))
        #expect(
            await refusal { try sandbox.verify(empty) }
                == .bundleIdentifierMismatch(found: nil, expected: Fixtures.bundleIdentifier))
    }

    @Test("J02 data for another app or environment are refused for that reason")
    func wrongRecipient() async throws {
        let transaction = try SignedTransaction(signer.sign(Fixtures.transaction))
        let app = try SignedAppTransaction(signer.sign(Fixtures.appTransaction))
        #expect(
            await refusal { try Fixtures.dataVerifier(bundleIdentifier: "com.example.other").verify(transaction) }
                == .bundleIdentifierMismatch(found: "com.example.app", expected: "com.example.other"))
        #expect(
            await refusal { try Fixtures.dataVerifier(environments: [.sandbox]).verify(transaction) }
                == .environmentNotAccepted(.production))
        #expect(
            await refusal { try Fixtures.dataVerifier(appAppleID: 1).verify(app) }
                == .appAppleIDMismatch(found: 1_234_567_890, expected: 1))
        var claims = Fixtures.appTransaction
        claims.receiptType = .sandbox
        claims.appAppleID = nil
        let sandbox = try SignedAppTransaction(signer.sign(claims))
        #expect(try Fixtures.dataVerifier(appAppleID: 1).verify(sandbox).environment == .sandbox)
    }

    @Test("J02 data of another kind are refused, whichever way round")
    func wrongKind() async throws {
        let verifier = Fixtures.dataVerifier(bundleIdentifier: nil)
        let texts = [
            try signer.sign(Fixtures.transaction), try signer.sign(Fixtures.renewalInfo),
            try signer.sign(Fixtures.appTransaction), try signer.sign(Fixtures.notification()),
        ]
        for (text, kind) in zip(texts, SignedDataKind.allCases) {
            #expect(try SignedDataKind(ofJWS: text) == kind)
            let found = [
                await refusal { try verifier.verify(SignedTransaction(text)) },
                await refusal { try verifier.verify(SignedRenewalInfo(text)) },
                await refusal { try verifier.verify(SignedAppTransaction(text)) },
                await refusal { try verifier.verify(SignedNotification(text)) },
            ]
            for (asked, refusal) in zip(SignedDataKind.allCases, found) {
                #expect(refusal == (asked == kind ? nil : .kindMismatch(found: kind, expected: asked)))
            }
        }
    }

    @Test("J02 the kind is looked at before the dates, of which another kind has other ones")
    func kindBeforeDates() async throws {
        let signer = try TestSigner(validFrom: Fixtures.date, until: Fixtures.date + 3600)
        let verifier = SignedDataVerifier(bundleIdentifier: nil, roots: signer.roots, now: { Fixtures.date + 1e9 })
        let app = try signer.sign(Fixtures.appTransaction)
        _ = try verifier.verify(SignedAppTransaction(app))
        #expect(
            await refusal { try verifier.verify(SignedTransaction(app)) }
                == .kindMismatch(found: .appTransaction, expected: .transaction))
    }

    @Test(
        "J01 each of Apple's names for an app transaction's environment is understood",
        arguments: [
            ("Production", .production), ("ProductionVPP", .production), ("ProductionSandbox", .sandbox),
            ("ProductionVPPSandbox", .sandbox), ("Sandbox", .sandbox), ("Moon", StoreEnvironment(rawValue: "Moon")),
        ] as [(String, StoreEnvironment)])
    func appEnvironment(_ name: String, _ environment: StoreEnvironment) throws {
        var claims = Fixtures.appTransaction
        claims.receiptType = StoreEnvironment(rawValue: name)
        let verified = try Fixtures.dataVerifier(environments: [environment])
            .verify(SignedAppTransaction(signer.sign(claims)))
        #expect(verified.environment == environment && verified.receiptType?.rawValue == name)
    }

    @Test("J02 a signature by a stranger is refused, and test data are under Apple's roots")
    func foreignRoot() async throws {
        let foreign = try SignedTransaction(Fixtures.stranger.sign(Fixtures.transaction))
        let own = try SignedTransaction(signer.sign(Fixtures.transaction))
        #expect(
            await refusal { try Fixtures.dataVerifier().verify(foreign) }
                == .certificateSignatureMismatch(.intermediate))
        #expect(
            await refusal { try SignedDataVerifier(bundleIdentifier: nil).verify(own) } == .rootNotTrusted)
    }

    @Test("J02 a good chain that is remembered vouches for no other signature and for no other date")
    func rememberedChain() async throws {
        let signer = try TestSigner(validFrom: Fixtures.date, until: Fixtures.date + 3600)
        let verifier = SignedDataVerifier(bundleIdentifier: nil, roots: signer.roots, now: { Fixtures.date })
        var claims = Fixtures.transaction
        let good = try signer.sign(claims)
        _ = try verifier.verify(SignedTransaction(good))
        claims.signedDate = Fixtures.date + 3601
        let late = try SignedTransaction(signer.sign(claims))
        #expect(
            await refusal { try verifier.verify(late) } == .certificateExpired(.leaf, at: Fixtures.date + 3601))
        let parts = good.split(separator: ".")
        claims.signedDate = Fixtures.date + 1
        let other = try signer.sign(claims).split(separator: ".")
        let forged = try SignedTransaction([parts[0], other[1], parts[2]].joined(separator: "."))
        #expect(await refusal { try verifier.verify(forged) } == .signatureMismatch)
    }

    @Test("J02 data without a date are looked at as of now")
    func noDate() async throws {
        let signer = try TestSigner(validFrom: Fixtures.date, until: Fixtures.date + 3600)
        var claims = Fixtures.transaction
        claims.signedDate = nil
        let signed = try SignedTransaction(signer.sign(claims))
        for (now, expected) in [
            (Fixtures.date, nil), (Fixtures.date + 3601, Refusal.certificateExpired(.leaf, at: Fixtures.date + 3601)),
        ] {
            let verifier = SignedDataVerifier(bundleIdentifier: nil, roots: signer.roots, now: { now })
            #expect(await refusal { try verifier.verify(signed) } == expected)
        }
    }

    @Test("J03 local-testing data are accepted only where asked for, with a signature or without one")
    func localTesting() async throws {
        var claims = Fixtures.transaction
        claims.environment = .localTesting
        let signed = try SignedTransaction(signer.sign(claims))
        let unsigned = try SignedTransaction("e30." + signed.jwsRepresentation.split(separator: ".")[1] + ".")
        let parts = signed.jwsRepresentation.split(separator: ".")
        let damaged = try SignedTransaction("\(parts[0]).\(parts[1]).AAAA")
        let local = Fixtures.dataVerifier(environments: [.localTesting])
        for data in [signed, unsigned] {
            let verified = try local.verify(data)
            #expect(verified.isFromLocalTesting && verified.validationDate == nil)
            for environments in [[.production, .sandbox], [.xcode]] as [Set<StoreEnvironment>] {
                #expect(
                    await refusal { try Fixtures.dataVerifier(environments: environments).verify(data) }
                        == .environmentNotAccepted(.localTesting))
            }
        }
        #expect(await refusal { try local.verify(damaged) } == .signatureMismatch)
        let stranger = Fixtures.dataVerifier(bundleIdentifier: "com.example.other", environments: [.localTesting])
        #expect(
            await refusal { try stranger.verify(signed) }
                == .bundleIdentifierMismatch(found: "com.example.app", expected: "com.example.other"))
        // Who accepts local testing does not thereby accept production without a chain.
        let both = Fixtures.dataVerifier(environments: [.localTesting, .production])
        claims.environment = .production
        let production = try SignedTransaction("e30." + signer.sign(claims).split(separator: ".")[1] + ".")
        #expect(await refusal { try both.verify(production) } == .algorithmNotAllowed("none"))
    }

    @Test("J04 unknown values are kept as they came, unknown claims in the payload")
    func openSets() async throws {
        var claims = Fixtures.transaction
        claims.productType = SignedProductType(rawValue: "Lease")
        claims.offerType = SignedOfferType(rawValue: 99)
        claims.revocationReason = StoreRevocationReason(rawValue: 7)
        claims.reason = SignedTransactionReason(rawValue: "GIFT")
        let signed = try SignedTransaction(signer.sign(claims))
        #expect(try Fixtures.dataVerifier().verify(signed).claims == claims)
        let json = #"{"environment":"Sandbox","moon":{"phase":[1,null]},"quantity":null}"#
        let unknown = try SignedTransaction("e30.\(Base64.urlText(json.utf8)).")
        #expect(unknown.payload == Data(json.utf8))
        #expect(unknown.unverifiedClaims.environment == .sandbox && unknown.unverifiedClaims.quantity == nil)
    }

    @Test("J05 a revoked certificate is invalid, a service that cannot be asked is could-not-tell")
    func revocation() async throws {
        let signed = try SignedTransaction(signer.sign(Fixtures.transaction))
        let verified = try Fixtures.dataVerifier().verify(signed)
        let good = ScriptedRevocation { _ in .good }
        try await verified.checkRevocation(by: good, at: Fixtures.date)
        #expect(await good.asked == ["StoreKitManager Test Transaction Signing", "StoreKitManager Test Authority"])
        for (name, role) in [("Transaction Signing", CertificateRole.leaf), ("Authority", .intermediate)] {
            let revoking = ScriptedRevocation { $0.hasSuffix(name) ? .revoked : .good }
            #expect(
                await refusal { try await verified.checkRevocation(by: revoking, at: Fixtures.date) }
                    == .certificateRevoked(role))
        }
        do {
            let unreachable = ScriptedRevocation { _ in throw URLError(.timedOut) }
            try await verified.checkRevocation(by: unreachable, at: Fixtures.date)
            Issue.record("Good although the service could not be asked")
        } catch VerificationError.undecided(let error) {
            #expect((error as? URLError)?.code == .timedOut)
        }
    }

    @Test("J05 all that is nested in a notification is asked about too, local testing is not")
    func nestedRevocation() async throws {
        var data = NotificationClaims.SubscriptionData()
        data.signedTransaction = try signer.sign(Fixtures.transaction)
        data.signedRenewalInfo = try signer.sign(Fixtures.renewalInfo)
        let notification = try SignedNotification(signer.sign(Fixtures.notification(data)))
        let checker = ScriptedRevocation { _ in .good }
        try await Fixtures.dataVerifier().verify(notification).checkRevocation(by: checker, at: Fixtures.date)
        #expect(await checker.asked.count == 6)
        var claims = Fixtures.transaction
        claims.environment = .xcode
        let local = try Fixtures.dataVerifier(environments: [.xcode]).verify(SignedTransaction(signer.sign(claims)))
        try await local.checkRevocation(by: checker, at: Fixtures.date)
        #expect(await checker.asked.count == 6)
    }

    @Test(
        "X03 what is no JWS is an error with its place",
        arguments: [
            ("", 0), ("a", 1), ("a.b", 1), ("a.b.c.d", 5), ("e30.!.", 4), ("e30.e30.?", 8), ("e30..", 4),
            ("e30.e3.", 6),
            ("e30.W10.", 4), ("e30.eyJxdWFudGl0eSI6IjEifQ.", 4), ("é.e30.", nil),
        ] as [(String, Int?)])
    func malformed(_ text: String, _ offset: Int?) async {
        // A header is looked at only when it is needed.
        let found = await malformation { try Fixtures.dataVerifier().verify(SignedTransaction(text)) }
        let environmentless = await refusal { try Fixtures.dataVerifier().verify(SignedTransaction(text)) }
        #expect(offset == nil ? environmentless != nil || found != nil : found?.offset == offset)
    }

    @Test("X03 a claim of the wrong type is named")
    func wrongType() async {
        let text = "e30.\(Base64.urlText(#"{"data":{"status":"1"}}"#.utf8))."
        #expect(await malformation { try SignedNotification(text) }?.problem.contains("data.status") == true)
    }
}

/// Answers as a test wants, and keeps who was asked about.
private actor ScriptedRevocation: RevocationChecker {
    private(set) var asked: [String] = []
    private let answer: @Sendable (String) throws -> RevocationStatus

    init(_ answer: @escaping @Sendable (String) throws -> RevocationStatus) { self.answer = answer }

    func status(of certificate: Data, issuedBy issuer: Data, at date: Date) async throws -> RevocationStatus {
        let name = try Certificate(ContiguousArray(certificate)).commonName ?? ""
        #expect(try Certificate(ContiguousArray(certificate)).isIssued(by: Certificate(ContiguousArray(issuer))))
        #expect(date == Fixtures.date)
        asked.append(name)
        return try answer(name)
    }
}
