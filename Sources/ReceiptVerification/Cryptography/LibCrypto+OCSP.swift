#if !canImport(CryptoKit)
import CLibCrypto
import Foundation

/// One question to an OCSP service (RFC 6960): whether one certificate was revoked. Written and answers read by libcrypto.
final class OCSPQuestion {
    /// Where the certificate says that the question is to be sent.
    let address: URL
    /// The question, as it is sent.
    let encoding: Data

    private let certificate: LibCryptoCertificate
    private let issuer: LibCryptoCertificate

    /// Asks about a certificate; nil where it names no service, or the bytes are no certificates.
    init?(_ certificate: Data, issuedBy issuer: Data) {
        defer { ERR_clear_error() }
        guard let certificate = LibCryptoCertificate(certificate), let issuer = LibCryptoCertificate(issuer),
            let address = Self.address(in: certificate), let encoding = Self.encoding(certificate, issuer)
        else { return nil }
        self.certificate = certificate
        self.issuer = issuer
        self.address = address
        self.encoding = encoding
    }

    /// Reads an answer.
    ///
    /// - Returns: The status, and until when the answer holds; nil where it is no valid answer to this question at the date:
    ///   not signed by the issuer or somebody authorised by it, about another certificate, too old, or "unknown".
    func status(in answer: Data, at date: Date) -> (status: RevocationStatus, until: Date)? {
        defer { ERR_clear_error() }
        guard
            let response = answer.withUnsafeBytes({ bytes -> OpaquePointer? in
                var start = bytes.bindMemory(to: UInt8.self).baseAddress
                return d2i_OCSP_RESPONSE(nil, &start, bytes.count)
            })
        else { return nil }
        defer { OCSP_RESPONSE_free(response) }
        guard OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
            let basic = OCSP_response_get1_basic(response)
        else { return nil }
        defer { OCSP_BASICRESP_free(basic) }
        guard isSigned(basic, at: date),
            let identifier = OCSP_cert_to_id(EVP_sha1(), certificate.pointer, issuer.pointer)
        else {
            return nil
        }
        defer { OCSP_CERTID_free(identifier) }

        var (status, reason): (Int32, Int32) = (0, 0)
        var revoked, updated, next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        guard OCSP_resp_find_status(basic, identifier, &status, &reason, &revoked, &updated, &next) == 1,
            let from = Self.date(updated), let until = Self.date(next), from <= date + Self.clockSkew, date <= until
        else { return nil }
        return switch status {
        case V_OCSP_CERTSTATUS_GOOD: (.good, until)
        case V_OCSP_CERTSTATUS_REVOKED: (.revoked, until)
        default: nil
        }
    }

    /// How far the service's clock may be ahead, in seconds.
    private static let clockSkew: TimeInterval = 300

    /// Whether the issuer, or somebody whom it authorised, signed the answer.
    private func isSigned(_ answer: OpaquePointer, at date: Date) -> Bool {
        guard let seconds = Int(exactly: date.timeIntervalSince1970.rounded()), let store = X509_STORE_new(),
            let certificates = OPENSSL_sk_new_null()
        else { return false }
        defer {
            X509_STORE_free(store)
            OPENSSL_sk_free(certificates)
        }
        X509_STORE_add_cert(store, issuer.pointer)
        OPENSSL_sk_push(certificates, UnsafeRawPointer(issuer.pointer))
        let parameters = X509_STORE_get0_param(store)
        // The issuer is trusted as it is: its own chain was verified before anybody was asked.
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        X509_VERIFY_PARAM_set_time(parameters, seconds)
        return OCSP_basic_verify(answer, certificates, store, 0) == 1
    }

    private static func address(in certificate: LibCryptoCertificate) -> URL? {
        guard let addresses = X509_get1_ocsp(certificate.pointer) else { return nil }
        defer { X509_email_free(addresses) }
        guard let first = OPENSSL_sk_value(addresses, 0) else { return nil }
        let url = URL(string: String(cString: first.assumingMemoryBound(to: CChar.self)))
        return ["http", "https"].contains(url?.scheme) ? url : nil
    }

    private static func encoding(_ certificate: LibCryptoCertificate, _ issuer: LibCryptoCertificate) -> Data? {
        guard let request = OCSP_REQUEST_new() else { return nil }
        defer { OCSP_REQUEST_free(request) }
        // The request takes the identifier over.
        guard let identifier = OCSP_cert_to_id(EVP_sha1(), certificate.pointer, issuer.pointer),
            OCSP_request_add0_id(request, identifier) != nil
        else { return nil }
        var encoding: UnsafeMutablePointer<UInt8>?
        let count = i2d_OCSP_REQUEST(request, &encoding)
        defer { CRYPTO_free(encoding, #file, #line) }
        return encoding.map { Data(bytes: $0, count: max(0, Int(count))) }
    }

    private static func date(_ time: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?) -> Date? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }
}

/// A certificate as libcrypto reads it.
private final class LibCryptoCertificate {
    let pointer: OpaquePointer

    init?(_ encoding: Data) {
        let pointer = encoding.withUnsafeBytes { bytes in
            var start = bytes.bindMemory(to: UInt8.self).baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { X509_free(pointer) }
}
#endif
