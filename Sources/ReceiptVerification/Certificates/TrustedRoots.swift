public import Foundation

/// The root certificates that chains may lead to. Everything else in a chain is checked; these alone are believed.
public struct TrustedRoots: Sendable {
    /// Apple's three, built in.
    public static let apple = TrustedRoots(
        certificates: appleCertificates.compactMap { text in
            (try? Base64.decode(ContiguousArray(text.utf8), .standard, ignoringWhitespace: true)).flatMap {
                try? Certificate($0)
            }
        })

    /// A root with its key, which is made ready once for all.
    struct Root: Sendable {
        let certificate: Certificate
        /// Nil where it is of a kind that is not allowed.
        let key: PublicKey?
    }

    /// The roots, in the order in which they were given.
    let roots: [Root]

    private init(certificates: [Certificate]) {
        roots = certificates.map { Root(certificate: $0, key: try? $0.makePublicKey()) }
    }

    /// The certificates of the roots.
    var certificates: [Certificate] { roots.map(\.certificate) }

    /// Trusts the roots given and no others, for test data or for an authority of one's own.
    ///
    /// - Parameter files: The contents of certificate files: DER, or PEM with any number of certificates.
    /// - Throws: ``MalformedInput`` where a file holds no certificate.
    public init(_ files: [Data]) throws {
        self.init(certificates: try files.flatMap(Self.certificates(in:)))
    }

    private static func certificates(in file: Data) throws -> [Certificate] {
        if file.first == ASN1Tag.sequence.rawValue { return [try Certificate(ContiguousArray(file))] }
        let text = String(decoding: file, as: UTF8.self)
        let blocks = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        guard !blocks.isEmpty else { throw MalformedInput("a certificate must be DER or PEM", at: 0) }
        // A certificate in DER among them would else be taken for a comment, and silently not be trusted.
        if let offset = file.firstIndex(where: \.isControlCharacter) {
            throw MalformedInput("a PEM file must be text alone", at: offset - file.startIndex)
        }
        return try blocks.enumerated().map { index, block in
            let part = "certificate \(index + 1)"
            guard let end = block.range(of: "-----END CERTIFICATE-----") else {
                throw MalformedInput("the end line is missing", at: block.utf8.count, in: part)
            }
            let body = ContiguousArray(block[..<end.lowerBound].utf8)
            do {
                return try Certificate(try Base64.decode(body, .standard, ignoringWhitespace: true))
            } catch let problem as MalformedInput {
                throw problem.inside(part)
            }
        }
    }
}

extension UInt8 {
    /// Whether it is a control character of ASCII that sets no text, as the tags and lengths in any certificate are.
    fileprivate var isControlCharacter: Bool { self < 0x20 && !(0x09...0x0D ~= self) || self == 0x7F }
}
