import Foundation

/// A certificate made for tests, with its private key.
struct TestCertificate: Sendable {
    /// The certificate.
    let encoding: [UInt8]
    /// Its key.
    let key: PrivateKey
    private let name: [UInt8]

    /// What a certificate is made for.
    enum Role: Int64, Sendable {
        case root = 1
        case intermediate, receiptSigner, dataSigner
    }

    /// Makes a certificate with a new key.
    ///
    /// - Parameters:
    ///   - issuer: Who signs it; nil for a root, which signs itself.
    ///   - extensions: What it may be used for; nil for what its role needs.
    init(
        _ role: Role, issuer: TestCertificate?, validFrom: Date, until: Date, extensions: [[UInt8]]? = nil
    ) throws {
        key = try PrivateKey(generating: role == .receiptSigner ? .rsa : .p256)
        name = Self.name(of: role)
        let signedPart = DER.element(
            .sequence,
            DER.element(.explicit(0), DER.integer(2)),
            DER.integer(role.rawValue),
            DER.algorithm(.ecdsaWithSHA256),
            issuer?.name ?? name,
            DER.element(.sequence, DER.date(validFrom), DER.date(until)),
            name,
            Self.publicKey(key),
            DER.element(.explicit(3), DER.element(.sequence, Array((extensions ?? Self.extensions(of: role)).joined())))
        )
        let signature = try (issuer?.key ?? key).signature(
            .certificate, over: ContiguousArray(signedPart).span, .sha256)
        encoding = DER.element(.sequence, signedPart, DER.algorithm(.ecdsaWithSHA256), DER.bits(signature))
    }

    /// How a PKCS#7 signer names this certificate.
    func issuerAndSerialNumber(_ role: Role, issuer: TestCertificate) -> [UInt8] {
        DER.element(.sequence, issuer.name, DER.integer(role.rawValue))
    }

    private static func name(of role: Role) -> [UInt8] {
        let text =
            switch role {
            case .root: "StoreKitManager Test Root"
            case .intermediate: "StoreKitManager Test Authority"
            case .receiptSigner: "StoreKitManager Test Receipt Signing"
            case .dataSigner: "StoreKitManager Test Transaction Signing"
            }
        let part = DER.element(.sequence, DER.identifier(.commonName), DER.text(text))
        return DER.element(.sequence, DER.element(.set, part))
    }

    private static func publicKey(_ key: PrivateKey) -> [UInt8] {
        let algorithm =
            key.type == .rsa
            ? DER.algorithm(.rsaEncryption, hasNull: true)
            : DER.element(.sequence, DER.identifier(.ecPublicKey), DER.identifier(.p256))
        return DER.element(.sequence, algorithm, DER.bits(key.publicKey))
    }
}

/// Extensions of certificates.
extension TestCertificate {
    /// What a certificate of a role needs.
    static func extensions(of role: Role) -> [[UInt8]] {
        switch role {
        case .root: [basicConstraints(isAuthority: true), keyUsage(.signsCertificates)]
        case .intermediate:
            [
                basicConstraints(isAuthority: true, pathLength: 0), keyUsage(.signsCertificates),
                mark(.developerRelations),
            ]
        case .receiptSigner, .dataSigner:
            [basicConstraints(isAuthority: false), keyUsage(.signsData), mark(.receiptSigning)]
        }
    }

    static func basicConstraints(isAuthority: Bool, pathLength: Int64? = nil) -> [UInt8] {
        let authority = isAuthority ? DER.element(.boolean, [0xFF]) : []
        let value = DER.element(.sequence, authority, pathLength.map(DER.integer) ?? [])
        return critical(.basicConstraints, value)
    }

    /// What a key may be used for.
    enum KeyUsage: Sendable {
        case signsData, signsCertificates

        /// The bits, with the number of unused ones before them.
        fileprivate var bits: [UInt8] { self == .signsData ? [7, 0x80] : [1, 0x06] }
    }

    static func keyUsage(_ usage: KeyUsage) -> [UInt8] { critical(.keyUsage, DER.element(.bitString, usage.bits)) }

    /// An extension that says something by being there.
    static func mark(_ type: ObjectIdentifier) -> [UInt8] {
        DER.element(.sequence, DER.identifier(type), DER.element(.octetString, DER.element(.null)))
    }

    /// An extension that must not be ignored.
    static func critical(_ type: ObjectIdentifier, _ value: [UInt8]) -> [UInt8] {
        DER.element(
            .sequence, DER.identifier(type), DER.element(.boolean, [0xFF]), DER.element(.octetString, value))
    }
}
