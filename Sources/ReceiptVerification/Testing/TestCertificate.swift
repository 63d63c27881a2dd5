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
    /// - Parameter issuer: Who signs it; nil for a root, which signs itself.
    init(_ role: Role, issuer: TestCertificate?, validFrom: Date, until: Date) throws {
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
            DER.element(.explicit(3), DER.element(.sequence, Array(Self.extensions(of: role).joined()))))
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

    private static func extensions(of role: Role) -> [[UInt8]] {
        let authority = DER.element(.boolean, [0xFF])
        let null = DER.element(.null)
        return switch role {
        case .root: [critical(.basicConstraints, DER.element(.sequence, authority)), keyUsage([1, 0x06])]
        case .intermediate:
            [
                critical(.basicConstraints, DER.element(.sequence, authority, DER.integer(0))), keyUsage([1, 0x06]),
                other(.developerRelations, null),
            ]
        case .receiptSigner, .dataSigner:
            [critical(.basicConstraints, DER.element(.sequence)), keyUsage([7, 0x80]), other(.receiptSigning, null)]
        }
    }

    /// The bits with the number of unused ones before them: 06 signs certificates and revocation lists, 80 signs data.
    private static func keyUsage(_ bits: [UInt8]) -> [UInt8] { critical(.keyUsage, DER.element(.bitString, bits)) }

    private static func critical(_ type: ObjectIdentifier, _ value: [UInt8]) -> [UInt8] {
        DER.element(
            .sequence, DER.identifier(type), DER.element(.boolean, [0xFF]), DER.element(.octetString, value))
    }

    private static func other(_ type: ObjectIdentifier, _ value: [UInt8]) -> [UInt8] {
        DER.element(.sequence, DER.identifier(type), DER.element(.octetString, value))
    }
}
