public import Foundation

/// Signs receipts and transactions for tests, as the App Store does, under a root of its own.
///
/// What it signs goes through the very same verification as Apple's data, with ``roots`` given to the verifier. Its keys are
/// made when it is made and are kept nowhere, so nothing that it signs is ever accepted under Apple's roots, nor under those of
/// another signer. Making one costs about a tenth of a second, mostly for an RSA key; share it between tests.
public struct TestSigner: Sendable {
    /// The root to be trusted in tests.
    public let roots: TrustedRoots

    let root: TestCertificate
    let intermediate: TestCertificate
    let receiptSigner: TestCertificate
    private let dataSigner: TestCertificate

    /// Makes a signer with new keys.
    ///
    /// - Parameters:
    ///   - start: When its certificates begin to be valid; whole seconds of the years 1950 to 9999.
    ///   - end: When they end. Verifiers look at them as of the date when the data were signed.
    /// - Throws: An error where the system refuses to make keys.
    public init(
        validFrom start: Date = Date(timeIntervalSince1970: 0), until end: Date = Date(timeIntervalSince1970: 4e9)
    ) throws {
        root = try TestCertificate(.root, issuer: nil, validFrom: start, until: end)
        intermediate = try TestCertificate(.intermediate, issuer: root, validFrom: start, until: end)
        receiptSigner = try TestCertificate(.receiptSigner, issuer: intermediate, validFrom: start, until: end)
        dataSigner = try TestCertificate(.dataSigner, issuer: intermediate, validFrom: start, until: end)
        roots = try TrustedRoots([Data(root.encoding)])
    }

    /// The root's certificate, DER, for other tools.
    public var rootCertificate: Data { Data(root.encoding) }

    /// Signs claims as a JWS.
    ///
    /// A notification's nested data are JWS too: sign them first and put them into its claims.
    ///
    /// - Throws: `EncodingError` where a claim cannot be JSON, such as a date that is not finite.
    public func sign(_ claims: some SignedClaims) throws -> String {
        try sign(payload: JWSWriter.encoder.encode(claims))
    }

    /// Signs a JSON payload as a JWS.
    func sign(payload: Data) throws -> String {
        let certificates = [dataSigner, intermediate, root].map { Data($0.encoding).base64EncodedString() }
        return try JWSWriter.jws(header: Header(x5c: certificates), payload: payload, key: dataSigner.key)
    }

    private struct Header: Encodable {
        var alg = "ES256"
        let x5c: [String]
    }
}

/// Writes a JWS in its compact form.
enum JWSWriter {
    /// Writes claims, whose dates are milliseconds since 1970.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .millisecondsSince1970
        return encoder
    }

    /// A JWS of a JSON payload.
    static func jws(header: some Encodable, payload: Data, key: PrivateKey) throws -> String {
        let signedPart = try Base64.urlText(encoder.encode(header)) + "." + Base64.urlText(payload)
        let signature = try key.signature(.jws, over: ContiguousArray(signedPart.utf8).span, .sha256)
        return signedPart + "." + Base64.urlText(signature)
    }
}
