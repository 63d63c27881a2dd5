import Foundation
import StoreManagerCore

/// Something that the store tells in signed form, and all that its signature ties it to.
struct SignedValue: Hashable, Sendable {
    /// The compact form of JWS.
    let jws: String
    let header: Data
    let payload: Data
    let signature: Data
    let signedDate: Date
    let deviceVerificationNonce: UUID
    let bundleID: String
    let appTransactionID: String

    /// What ties it to the device: empty, because nothing does.
    let deviceVerification = Data()

    /// What the signature covers: header and payload as they stand in the compact form.
    var signedPart: Data { Data(jws.split(separator: ".").prefix(2).joined(separator: ".").utf8) }

    /// Takes a payload and its signed form; without one the header says that nobody signed (`"alg":"none"`), and the signature
    /// is empty.
    init(payload: Data, jws signed: String?, at date: Date, nonce: UUID, app: AppIdentity) {
        let form = signed ?? "\(Data(#"{"alg":"none"}"#.utf8).base64URLEncoded).\(payload.base64URLEncoded)."
        let parts = form.split(separator: ".", omittingEmptySubsequences: false).map { Data(base64URLEncoded: $0) }
        jws = form
        header = (parts.first ?? nil) ?? Data()
        self.payload = parts.count == 3 ? parts[1] ?? payload : payload
        signature = parts.count == 3 ? parts[2] ?? Data() : Data()
        signedDate = date
        deviceVerificationNonce = nonce
        bundleID = app.bundleID
        appTransactionID = app.appTransactionID
    }
}

// The alphabet for addresses, without padding (RFC 4648, section 5).
extension Data {
    fileprivate var base64URLEncoded: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    fileprivate init?(base64URLEncoded text: Substring) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
