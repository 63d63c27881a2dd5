import Foundation
import ReceiptVerification
import StoreManagerCore

#if canImport(CLibCrypto)
import CLibCrypto
#endif

/// A receipt to verify: a genuine one of so many purchases where there is one beside the project, else one made here.
struct ReceiptSample {
    let data: Data
    let roots: TrustedRoots

    init(purchases count: Int) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../../shared/corpus/receipts/pkcs7")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        if let name = names.first(where: { $0.contains("-\(count)iap") && $0.hasSuffix(".der") }) {
            data = try Data(contentsOf: folder.appending(path: name))
            roots = .apple
        } else {
            let signer = try TestSigner()
            data = try signer.appReceipt(Self.contents(purchases: count))
            roots = signer.roots
        }
    }

    /// A verifier that knows no chain yet.
    var verifier: AppReceiptVerifier { AppReceiptVerifier(bundleIdentifier: nil, roots: roots) }

    private static func contents(purchases count: Int) -> ReceiptContents {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        var contents = ReceiptContents()
        contents.receiptType = "ProductionSandbox"
        contents.bundleIdentifier = "com.example.app"
        contents.applicationVersion = "1"
        contents.creationDate = date
        contents.purchases = (0..<count).map { index in
            var purchase = InAppPurchase(
                productIdentifier: "com.example.club.monthly", transactionIdentifier: String(1_000_000 + index),
                purchaseDate: date + Double(index))
            purchase.originalTransactionIdentifier = "1000000"
            purchase.originalPurchaseDate = date
            purchase.expirationDate = date + Double(index) + 300
            purchase.productType = .autoRenewable
            purchase.webOrderLineItemID = Int64(30_000_000_000_000 + index)
            purchase.isTrialPeriod = false
            purchase.isInIntroductoryOfferPeriod = false
            return purchase
        }
        return contents
    }
}

#if canImport(CLibCrypto)
extension ReceiptSample {
    /// The check of the content's signature.
    func bareCheck() throws -> BareCheck {
        let bytes = [UInt8](data)
        let message = bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_CMS_ContentInfo(nil, &start, bytes.count)
        }
        guard let message, let content = CMS_get0_content(message)?.pointee else { throw BareCheckError() }
        defer { CMS_ContentInfo_free(message) }
        guard let signer = OPENSSL_sk_value(CMS_get0_SignerInfos(message), 0),
            let signature = CMS_SignerInfo_get0_signature(OpaquePointer(signer))
        else { throw BareCheckError() }
        func octets(_ string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
            Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
        }
        let (signed, number) = (octets(content), octets(signature))
        let leaf = try AppReceipt(data: data).unverifiedCertificates()[0].encoding
        for algorithm in [EVP_sha256(), EVP_sha1()] {
            if let algorithm, let check = try? BareCheck(signed, number, by: leaf, algorithm) { return check }
        }
        throw BareCheckError()
    }

    /// The checks of the certificates' signatures.
    func bareChainChecks() throws -> [BareCheck] {
        let certificates = try AppReceipt(data: data).unverifiedCertificates().map(\.encoding)
        return try zip(certificates, certificates.dropFirst()).map { try BareCheck(certificate: $0, by: $1) }
    }
}
#endif

/// A signed transaction to verify. All its certificates have P-256 keys, which makes its chain cheaper than Apple's and so the
/// rest weigh more.
struct SignedTransactionSample {
    let jws: String
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    private let roots: TrustedRoots

    init() throws {
        let signer = try TestSigner()
        var claims = TransactionClaims()
        claims.transactionIdentifier = "2000000000000001"
        claims.originalTransactionIdentifier = "2000000000000001"
        claims.webOrderLineItemIdentifier = "2000000000000002"
        claims.bundleIdentifier = "com.example.app"
        claims.productIdentifier = "com.example.club.monthly"
        claims.subscriptionGroupIdentifier = "20000001"
        claims.purchaseDate = date
        claims.originalPurchaseDate = date
        claims.expirationDate = date + 2_592_000
        claims.quantity = 1
        claims.productType = .autoRenewable
        claims.ownershipType = .purchased
        claims.signedDate = date
        claims.environment = .production
        claims.reason = .purchase
        claims.storefront = "USA"
        claims.storefrontIdentifier = "143441"
        claims.price = 4990
        claims.currency = "USD"
        claims.appTransactionIdentifier = "700000000000000001"
        jws = try signer.sign(claims)
        roots = signer.roots
    }

    /// A verifier that knows no chain yet.
    var verifier: SignedDataVerifier { SignedDataVerifier(bundleIdentifier: "com.example.app", roots: roots) }
}

#if canImport(CLibCrypto)
extension SignedTransactionSample {
    /// The check of the JWS's own signature.
    func bareCheck() throws -> BareCheck {
        let parts = jws.split(separator: ".").map(String.init)
        let text = parts[2].replacing("-", with: "+").replacing("_", with: "/")
        guard let octets = Data(base64Encoded: text + "=="), let numbers = ECDSA_SIG_new(), let algorithm = EVP_sha256()
        else { throw BareCheckError() }
        defer { ECDSA_SIG_free(numbers) }
        let bytes = [UInt8](octets)
        ECDSA_SIG_set0(numbers, BN_bin2bn(Array(bytes[..<32]), 32, nil), BN_bin2bn(Array(bytes[32...]), 32, nil))
        var encoding: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(numbers, &encoding)
        defer { CRYPTO_free(encoding, #file, #line) }
        let signature = Array(UnsafeBufferPointer(start: encoding, count: Int(count)))
        return try BareCheck(
            Array("\(parts[0]).\(parts[1])".utf8), signature, by: certificates()[0], algorithm)
    }

    /// The checks of the certificates' signatures.
    func bareChainChecks() throws -> [BareCheck] {
        let certificates = try certificates()
        return try zip(certificates, certificates.dropFirst()).map { try BareCheck(certificate: $0, by: $1) }
    }

    private func certificates() throws -> [Data] {
        try SignedTransaction(jws).unverifiedCertificates().map(\.encoding)
    }
}
#endif
