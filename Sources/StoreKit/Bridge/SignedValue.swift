import Foundation
import StoreManagerCore

/// Something that the store tells in signed form, and all that its signature ties it to.
///
/// Where nobody signs, the header says so (`"alg":"none"`) and the signature is empty.
struct SignedValue: Hashable, Sendable {
    var header: Data
    var payload: Data
    var signature: Data
    var signedDate: Date
    var deviceVerification: Data
    var deviceVerificationNonce: UUID
    var bundleID: String
    var appTransactionID: String

    /// The compact form of JWS.
    var jws: String { String(decoding: signedPart, as: UTF8.self) + "." + signature.base64URLEncoded }

    /// Header and payload as they stand in the compact form.
    var signedPart: Data { Data("\(header.base64URLEncoded).\(payload.base64URLEncoded)".utf8) }
}

extension Data {
    /// Base64 in the alphabet for addresses, without padding (RFC 4648, section 5).
    fileprivate var base64URLEncoded: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
