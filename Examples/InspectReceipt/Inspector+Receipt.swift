import Foundation
import ReceiptVerification
import StoreManagerCore

extension Inspector {
    /// Looks into an app receipt.
    func inspect(receipt data: Data, _ inspection: inout Inspection) throws {
        let receipt = try AppReceipt(data: data)
        let contents = receipt.unverifiedContents
        inspection.format = .receipt
        inspection.title = "app receipt"
        inspection.environment = contents.environment?.rawValue
        inspection.bundle = contents.bundleIdentifier
        inspection.purchases = contents.purchases.map(Inspection.Purchase.init)
        inspection.fields = contents.fields
        inspection.certificates = (try? receipt.unverifiedCertificates()) ?? []
        inspection.checksNotMade = [
            checks.bundleIdentifier == nil ? "bundle identifier (--bundle)" : nil,
            checks.environment == nil ? "environment (--environment)" : nil,
            checks.applicationVersion == nil ? "version (--version)" : nil,
            checks.appAppleID == nil ? "app number (--app-id)" : nil,
            checks.appAppleID != nil && contents.environment ?? .production != .production
                ? "app number: only receipts from production have one" : nil,
            checks.deviceIdentifier == nil ? "device (--device)" : nil,
            checks.kind == nil ? nil : "kind: a receipt has none",
            "revocation: nobody is asked over the network",
        ].compactMap(\.self)
        let verifier = AppReceiptVerifier(
            bundleIdentifier: checks.bundleIdentifier, applicationVersion: checks.applicationVersion,
            appAppleID: checks.appAppleID, deviceIdentifier: checks.deviceIdentifier,
            environments: checks.environments, roots: checks.roots)
        do {
            let verified = try verifier.verify(receipt, at: checks.date)
            inspection.verdict = .valid
            if verified.isFromLocalTesting { inspection.reason = Self.localTestingNote }
        } catch {
            inspection.conclude(error, decoded: true)
        }
    }
}

extension Inspector {
    /// The reason why data of local testing are valid.
    static let localTestingNote = """
        Made by store testing on a developer's machine, where no money is paid; accepted only because --environment says so.
        """
}

extension Inspection.Purchase {
    fileprivate init(_ purchase: InAppPurchase) {
        self.init(
            product: purchase.productIdentifier, transaction: purchase.transactionIdentifier,
            originalTransaction: purchase.originalTransactionIdentifier, quantity: purchase.quantity,
            purchased: purchase.purchaseDate, expires: purchase.expirationDate, revoked: purchase.cancellationDate)
    }
}

extension ReceiptContents {
    /// Everything but the purchases.
    fileprivate var fields: [(name: String, value: String)] {
        let known: [(String, String?)] = [
            ("receipt type", receiptType), ("bundle identifier", bundleIdentifier), ("version", applicationVersion),
            ("app number", appAppleID.map(String.init)), ("created", creationDate?.readable),
            ("first version", originalApplicationVersion), ("first bought", originalPurchaseDate?.readable),
            ("preordered", preorderDate?.readable), ("term ends", expirationDate?.readable),
            ("age rating", ageRating), ("download", downloadID.map(String.init)),
            ("version number", versionExternalIdentifier.map(String.init)), ("opaque value", opaqueValue?.hexadecimal),
            ("device hash", deviceHash?.hexadecimal),
        ]
        return known.compactMap { name, value in value.map { (name, $0) } }
            + otherAttributes.map { ("attribute \($0.type)", $0.value.hexadecimal) }
    }
}

extension Date {
    /// The date as a person reads it.
    var readable: String { iso8601 ?? "\(timeIntervalSince1970) seconds after 1970" }
}

extension Data {
    /// The bytes in hexadecimal digits.
    fileprivate var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
