import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Signing promotional offers")
struct PromotionalOfferSignerTests {
    private let nonce = UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138") ?? UUID()

    @Test("A classic signature fits its offer, product, account and key, and no others")
    func classic() throws {
        let signer = try PromotionalOfferSigner(bundleIdentifier: "com.example.app", keyIdentifier: "K1")
        let signature = try signer.signature(
            offerID: "half", productIdentifier: "pro", account: "ann", nonce: nonce, date: Fixtures.date)
        #expect(signature.keyID == "K1" && signature.nonce == nonce && signature.timestamp == 1_706_356_800_000)
        #expect(signer.isValid(signature, productIdentifier: "pro", account: "ann"))
        #expect(!signer.isValid(signature, productIdentifier: "gold", account: "ann"))
        #expect(!signer.isValid(signature, productIdentifier: "pro", account: "bob"))
        for change in [
            { $0.offerID = "free" }, { $0.keyID = "K2" }, { $0.nonce = UUID() }, { $0.timestamp += 1 },
            { $0.signature = "AAAA" }, { $0.signature = "?" },
        ] as [(inout PromotionalOfferSignature) -> Void] {
            var changed = signature
            change(&changed)
            #expect(!signer.isValid(changed, productIdentifier: "pro", account: "ann"))
        }
        let other = try PromotionalOfferSigner(bundleIdentifier: "com.example.app", keyIdentifier: "K1")
        #expect(!other.isValid(signature, productIdentifier: "pro", account: "ann"))
    }

    @Test("The classic form signs the parts in Apple's order", .enabled(if: OpenSSL.isAvailable))
    func message() throws {
        let folder = try TemporaryFolder()
        let key = try OpenSSL.makeKey(in: folder)
        let signer = try PromotionalOfferSigner(
            bundleIdentifier: "com.example.app", keyIdentifier: "K1", privateKey: key)
        let signature = try signer.signature(
            offerID: "half", productIdentifier: "pro", account: "ann", nonce: nonce, date: Fixtures.date)
        let separator = "\u{2063}"
        let parts = ["com.example.app", "K1", "pro", "half", "ann", nonce.uuidString.lowercased(), "1706356800000"]
        try Data(parts.joined(separator: separator).utf8).write(to: folder.url.appending(path: "message"))
        try #require(Data(base64Encoded: signature.signature)).write(to: folder.url.appending(path: "signature"))
        let answer = try OpenSSL.run(
            ["dgst", "-sha256", "-prverify", "key.pem", "-signature", "signature", "message"], in: folder.url)
        #expect(answer == 0)
    }

    @Test("A JWS says what Apple asks for, and fits its offer, product, app and key")
    func jws() throws {
        let signer = try PromotionalOfferSigner(bundleIdentifier: "com.example.app", keyIdentifier: "K1")
        let text = try signer.jws(
            offerID: "half", productIdentifier: "pro", transactionIdentifier: "5", nonce: nonce, date: Fixtures.date,
            issuer: "I1")
        let parts = try text.split(separator: ".").prefix(2).map {
            try JSONValue(data: Data(Base64.decode(ContiguousArray($0.utf8), .url)))
        }
        #expect(parts[0] == .object(["alg": .string("ES256"), "kid": .string("K1"), "typ": .string("JWT")]))
        #expect(parts[1][[.key("aud")]] == .string("promotional-offer"))
        #expect(parts[1][[.key("bid")]] == .string("com.example.app") && parts[1][[.key("iss")]] == .string("I1"))
        #expect(parts[1][[.key("nonce")]] == .string(nonce.uuidString.lowercased()))
        #expect(
            parts[1][[.key("offerIdentifier")]] == .string("half") && parts[1][[.key("productId")]] == .string("pro"))
        #expect(parts[1][[.key("transactionId")]] == .string("5"))
        #expect(signer.isValid(jws: text, offerID: "half", productIdentifier: "pro"))
        #expect(!signer.isValid(jws: text, offerID: "free", productIdentifier: "pro"))
        #expect(!signer.isValid(jws: text, offerID: "half", productIdentifier: "gold"))
        #expect(!signer.isValid(jws: text.dropLast(2) + "AA", offerID: "half", productIdentifier: "pro"))
        let other = try PromotionalOfferSigner(bundleIdentifier: "com.example.app", keyIdentifier: "K1")
        #expect(!other.isValid(jws: text, offerID: "half", productIdentifier: "pro"))
    }

    @Test("C07 what is no key is an error that does not repeat it", arguments: ["", "secret", "MAA="])
    func noKey(_ text: String) {
        #expect(throws: CryptographyError.invalidPrivateKey(.p256)) {
            try PromotionalOfferSigner(bundleIdentifier: "", keyIdentifier: "", privateKey: Data(text.utf8))
        }
    }

    @Test("Keys are read as PEM, DER and plain base64", .enabled(if: OpenSSL.isAvailable))
    func keyForms() throws {
        let folder = try TemporaryFolder()
        let pem = try OpenSSL.makeKey(in: folder)
        let body = String(decoding: pem, as: UTF8.self).split(separator: "\n").dropFirst().dropLast().joined()
        let der = try #require(Data(base64Encoded: body))
        let signers = try [pem, der, Data(body.utf8)].map {
            try PromotionalOfferSigner(bundleIdentifier: "com.example.app", keyIdentifier: "K1", privateKey: $0)
        }
        let signature = try signers[0].signature(
            offerID: "half", productIdentifier: "pro", account: "", nonce: nonce, date: Fixtures.date)
        for signer in signers { #expect(signer.isValid(signature, productIdentifier: "pro", account: "")) }
    }
}
