import Foundation

/// A JWS in its compact form (RFC 7515, 3.1), taken apart but not checked: `header.payload.signature`.
struct CompactJWS: Sendable {
    /// The most bytes that a JWS may have. Apple's have less than ten thousand.
    static let maximumByteCount = 1 << 20

    /// The text.
    let bytes: ContiguousArray<UInt8>
    /// Where the encoded header lies.
    let header: Range<Int>
    /// What was signed: header and payload as they are encoded.
    let signedPart: Range<Int>
    /// The decoded payload.
    let payload: Data
    /// The decoded signature.
    let signature: ContiguousArray<UInt8>

    /// What the header says.
    struct Header: Decodable, Sendable {
        /// The signature's algorithm.
        let alg: String?
        /// The certificates in base64, the signer's first.
        let x5c: [String]?
        /// The extensions that must be understood.
        let crit: [String]?

        /// One of the certificates, of which there must be so many.
        func certificate(_ index: Int) throws -> Certificate {
            do {
                return try Certificate(try Base64.decode(ContiguousArray((x5c?[index] ?? "").utf8), .standard))
            } catch let problem as MalformedInput {
                throw problem.inside("certificate \(index + 1) of x5c")
            }
        }
    }

    /// Takes a text apart.
    init(_ text: String) throws {
        let bytes = ContiguousArray(text.utf8)
        guard bytes.count <= Self.maximumByteCount else {
            throw MalformedInput("a JWS of more than \(Self.maximumByteCount) bytes", at: Self.maximumByteCount)
        }
        let dots = bytes.span.offsets(of: UInt8(ascii: "."))
        guard dots.count == 2 else {
            throw MalformedInput("a JWS must have three parts, found \(dots.count + 1)", at: dots.last ?? bytes.count)
        }
        self.bytes = bytes
        header = 0..<dots[0]
        signedPart = 0..<dots[1]
        payload = Data(try Base64.decode(bytes.span, dots[0] + 1..<dots[1], .url))
        signature = try Base64.decode(bytes.span, dots[1] + 1..<bytes.count, .url)
    }

    /// Decodes the header.
    func decodeHeader() throws -> Header {
        try decode(Header.self, from: Data(try Base64.decode(bytes.span, header, .url)), "the header", at: 0)
    }

    /// Decodes the payload, whose dates are milliseconds since 1970.
    func decodePayload<Payload: Decodable>(as type: Payload.Type) throws -> Payload {
        try decode(type, from: payload, "the payload", at: header.upperBound + 1)
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, from json: Data, _ part: String, at offset: Int
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        do {
            return try decoder.decode(type, from: json)
        } catch {
            throw MalformedInput("\(part) is not the JSON expected: \(error.explanation(of: json))", at: offset)
        }
    }
}
