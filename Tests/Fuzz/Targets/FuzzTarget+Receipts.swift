import Foundation
import StoreManagerCore

@testable import ReceiptVerification

/// What a store signs.
extension FuzzTarget {
    func readElements(_ bytes: Data) {
        let bytes = ContiguousArray(bytes)
        for rules in [ASN1Reader.Rules.distinguished, .basic] {
            let reader = ASN1Reader(bytes.indices, rules: rules)
            _ = tolerating { try reader.checkNesting(in: bytes.span) }
            readElements(of: reader, in: bytes, depth: 0)
        }
        _ = tolerating { try Certificate(bytes).makePublicKey() }
        _ = bytes.span.date(in: bytes.indices)
    }

    private func readElements(of reader: ASN1Reader, in bytes: ContiguousArray<UInt8>, depth: Int) {
        var reader = reader
        while depth < 8, !reader.isAtEnd, let element = tolerating({ try reader.read("it", from: bytes.span) }) {
            _ = tolerating { try bytes.span.integer(element) }
            _ = tolerating { try bytes.span.boolean(element) }
            _ = tolerating { try bytes.span.text(element) }
            _ = tolerating { try bytes.span.octets(ofBitString: element) }
            _ = tolerating { try bytes.span.objectIdentifier(element) }
            _ = tolerating { try bytes.span.certificateDate(element) }
            if element.tag.isConstructed { readElements(of: reader.inside(element), in: bytes, depth: depth + 1) }
        }
    }

    func readReceipt(_ bytes: Data) {
        guard let receipt = tolerating({ try AppReceipt(data: bytes) }) else { return }
        let verifier = AppReceiptVerifier(
            bundleIdentifier: "com.example.app", deviceIdentifier: Data(count: 16),
            environments: [.production, .sandbox, .xcode], now: { Date(timeIntervalSince1970: 0) })
        _ = tolerating { try verifier.verify(receipt) }
        _ = tolerating { try receipt.unverifiedCertificates() }
        for purchase in receipt.unverifiedContents.purchases {
            _ = purchase.isActiveSubscription(at: Date(timeIntervalSince1970: 0))
        }
    }

    func readSignedData(_ bytes: Data) {
        let text = String(decoding: bytes, as: UTF8.self)
        let verifier = SignedDataVerifier(
            bundleIdentifier: "com.example.app", environments: [.production, .sandbox, .xcode, .localTesting],
            now: { Date(timeIntervalSince1970: 0) })
        if let signed = tolerating({ try SignedTransaction(text) }) {
            _ = tolerating { try verifier.verify(signed) }
            _ = tolerating { try signed.unverifiedCertificates() }
        }
        if let signed = tolerating({ try SignedRenewalInfo(text) }) { _ = tolerating { try verifier.verify(signed) } }
        if let signed = tolerating({ try SignedAppTransaction(text) }) {
            _ = tolerating { try verifier.verify(signed) }
        }
        if let signed = tolerating({ try SignedNotification(text) }) { _ = tolerating { try verifier.verify(signed) } }
        // The claims are reached without their wrapping too: base64 is a wall to chance.
        let header = Base64.urlText(Array(#"{"alg":"ES256","x5c":[]}"#.utf8))
        let wrapped = "\(header).\(Base64.urlText(bytes)).AAAA"
        _ = tolerating { try SignedTransaction(wrapped) }
        _ = tolerating { try SignedRenewalInfo(wrapped) }
        _ = tolerating { try SignedAppTransaction(wrapped) }
        _ = tolerating { try SignedNotification(wrapped) }
    }

    func readServerAnswer(_ bytes: Data) { _ = tolerating { try AppleReceiptResponse(data: bytes) } }
}
