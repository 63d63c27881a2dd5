import Foundation
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Chains of certificates")
struct CertificateChainTests {
    private typealias Extensions = [[UInt8]]

    /// Makes a chain, with the extensions given in place of the right ones, and checks it.
    private func chain(
        leaf: Extensions? = nil, intermediate: Extensions? = nil, root: Extensions? = nil,
        through others: [Certificate] = [], isIntermediateGiven: Bool = true,
        for purpose: CertificateChain.Purpose = .signedData
    ) throws -> CertificateChain {
        let dates = (Fixtures.date, Fixtures.date + 3600)
        let rootMade = try TestCertificate(.root, issuer: nil, validFrom: dates.0, until: dates.1, extensions: root)
        let intermediateMade = try TestCertificate(
            .intermediate, issuer: rootMade, validFrom: dates.0, until: dates.1, extensions: intermediate)
        let leafMade = try TestCertificate(
            .dataSigner, issuer: intermediateMade, validFrom: dates.0, until: dates.1, extensions: leaf)
        return try CertificateChain(
            from: Certificate(ContiguousArray(leafMade.encoding)),
            through: others + (isIntermediateGiven ? [Certificate(ContiguousArray(intermediateMade.encoding))] : []),
            to: TrustedRoots([Data(rootMade.encoding)]), for: purpose)
    }

    private func refusal(_ check: () throws -> CertificateChain) -> Refusal? {
        do {
            _ = try check()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test("J02 a chain of three with everything in place is good")
    func good() throws {
        let chain = try chain()
        #expect(chain.links.map(\.role) == [.leaf, .intermediate, .root])
        #expect(
            chain.links.map(\.certificate.commonName) == [
                "StoreKitManager Test Transaction Signing", "StoreKitManager Test Authority",
                "StoreKitManager Test Root",
            ])
    }

    @Test("J02 a certificate without Apple's mark for its role is refused")
    func markers() {
        let unmarkedLeaf = [TestCertificate.basicConstraints(isAuthority: false), TestCertificate.keyUsage(.signsData)]
        let unmarkedIntermediate = [
            TestCertificate.basicConstraints(isAuthority: true, pathLength: 0),
            TestCertificate.keyUsage(.signsCertificates),
        ]
        #expect(refusal { try chain(leaf: unmarkedLeaf) } == .markerMissing(.leaf))
        #expect(refusal { try chain(intermediate: unmarkedIntermediate) } == .markerMissing(.intermediate))
        #expect(
            refusal { try chain(leaf: unmarkedLeaf + [TestCertificate.mark(.developerRelations)]) }
                == .markerMissing(.leaf))
    }

    @Test("J02 an issuer that is no authority, or not of so many below it, is refused")
    func authorities() {
        let mark = TestCertificate.mark(.developerRelations)
        let usage = TestCertificate.keyUsage(.signsCertificates)
        let none = TestCertificate.basicConstraints(isAuthority: false)
        #expect(refusal { try chain(intermediate: [none, usage, mark]) } == .notAnAuthority(.intermediate))
        #expect(refusal { try chain(intermediate: [usage, mark]) } == .notAnAuthority(.intermediate))
        #expect(refusal { try chain(root: [none, usage]) } == .notAnAuthority(.root))
        let short = TestCertificate.basicConstraints(isAuthority: true, pathLength: 0)
        let enough = TestCertificate.basicConstraints(isAuthority: true, pathLength: 1)
        #expect(refusal { try chain(root: [short, usage]) } == .pathTooLong(.root))
        #expect(refusal { try chain(root: [enough, usage]) } == nil)
    }

    @Test("J02 a key that may not be used for what it was used for is refused, one without restrictions is not")
    func keyUsage() {
        let leaf = [TestCertificate.basicConstraints(isAuthority: false), TestCertificate.mark(.receiptSigning)]
        let intermediate = [
            TestCertificate.basicConstraints(isAuthority: true), TestCertificate.mark(.developerRelations),
        ]
        let (data, certificates) = (TestCertificate.keyUsage(.signsData), TestCertificate.keyUsage(.signsCertificates))
        #expect(refusal { try chain(leaf: leaf + [certificates]) } == .keyUsageNotAllowed(.leaf))
        #expect(refusal { try chain(intermediate: intermediate + [data]) } == .keyUsageNotAllowed(.intermediate))
        #expect(
            refusal { try chain(root: [TestCertificate.basicConstraints(isAuthority: true), data]) }
                == .keyUsageNotAllowed(.root))
        #expect(refusal { try chain(leaf: leaf, intermediate: intermediate) } == nil)
    }

    @Test("J02 an unknown critical extension is refused in each certificate, and so are name constraints")
    func criticalExtensions() {
        for role in [TestCertificate.Role.root, .intermediate, .dataSigner] {
            let unknown = TestCertificate.critical(.contentType, DER.element(.null))
            let extensions = TestCertificate.extensions(of: role) + [unknown]
            let found = refusal {
                switch role {
                case .root: try chain(root: extensions)
                case .intermediate: try chain(intermediate: extensions)
                default: try chain(leaf: extensions)
                }
            }
            let expected: CertificateRole = role == .root ? .root : role == .intermediate ? .intermediate : .leaf
            #expect(found == .unknownCriticalExtension(expected, "1.2.840.113549.1.9.3"))
        }
    }

    @Test("J02 a certificate that is missing leaves no chain")
    func missing() {
        #expect(refusal { try chain(isIntermediateGiven: false) } == .rootNotTrusted)
    }

    @Test("J02 a leaf that the root issued itself is a chain of two")
    func two() throws {
        let signer = Fixtures.signer
        let dates = (Fixtures.date, Fixtures.date + 3600)
        let leaf = try TestCertificate(.dataSigner, issuer: signer.root, validFrom: dates.0, until: dates.1)
        #expect(
            refusal {
                try CertificateChain(
                    from: Certificate(ContiguousArray(leaf.encoding)), through: [], to: signer.roots, for: .signedData)
            } == .chainLength(2))
    }

    @Test("X01 an intermediate certificate is found among others, of the same name too")
    func amongOthers() throws {
        let other = try Certificate(ContiguousArray(Fixtures.stranger.intermediate.encoding))
        #expect(try chain(through: [other, other]).links.count == 3)
    }

    @Test("X02 a key of the wrong kind signs neither receipts nor transactions")
    func kinds() throws {
        #expect(refusal { try chain(for: .appReceipts) } == .certificateAlgorithmNotAllowed(.leaf))
        let signer = Fixtures.signer
        #expect(
            refusal {
                try CertificateChain(
                    from: Certificate(ContiguousArray(signer.receiptSigner.encoding)),
                    through: [Certificate(ContiguousArray(signer.intermediate.encoding))], to: signer.roots,
                    for: .signedData)
            } == .certificateAlgorithmNotAllowed(.leaf))
    }

    @Test("J02 the dates of all certificates count, at both ends to the second")
    func validity() throws {
        let chain = try chain()
        try chain.checkValidity(at: Fixtures.date)
        try chain.checkValidity(at: Fixtures.date + 3600)
        #expect(throws: Refusal.certificateNotYetValid(.leaf, at: Fixtures.date - 1)) {
            try chain.checkValidity(at: Fixtures.date - 1)
        }
        #expect(throws: Refusal.certificateExpired(.leaf, at: Fixtures.date + 3601)) {
            try chain.checkValidity(at: Fixtures.date + 3601)
        }
    }
}

@Suite("Trusted roots")
struct TrustedRootsTests {
    @Test("X01 Apple's three roots are built in")
    func apple() {
        #expect(
            TrustedRoots.apple.certificates.map(\.commonName) == [
                "Apple Root CA", "Apple Root CA - G2", "Apple Root CA - G3",
            ])
    }

    @Test("X01 Apple's roots are the ones that Apple publishes", .enabled(if: Corpus.isAvailable))
    func published() throws {
        let files = try ["AppleIncRootCertificate", "AppleRootCA-G2", "AppleRootCA-G3"].map {
            try Data(contentsOf: Corpus.url("receipts/certs/\($0).cer"))
        }
        #expect(TrustedRoots.apple.certificates.map { Data($0.encoding) } == files)
    }

    @Test("X01 roots are given as DER or as PEM, several in one file too")
    func files() throws {
        let der = Fixtures.signer.rootCertificate
        let block = """
            -----BEGIN CERTIFICATE-----
            \(der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]))
            -----END CERTIFICATE-----
            """
        #expect(try TrustedRoots([der]).certificates.count == 1)
        #expect(try TrustedRoots([Data("a comment\n\(block)\n\(block)\n".utf8), der]).certificates.count == 3)
    }

    @Test(
        "X03 a file that is no certificate is an error",
        arguments: [
            "", "x", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n?\n-----END CERTIFICATE-----", "0\u{3}",
        ])
    func malformed(_ text: String) {
        #expect(throws: MalformedInput.self) { try TrustedRoots([Data(text.utf8)]) }
    }

    @Test("X03 a certificate in DER before, between or after those in PEM is an error, not a comment")
    func mixedFile() {
        let der = Fixtures.signer.rootCertificate
        let block = Data(
            "-----BEGIN CERTIFICATE-----\n\(der.base64EncodedString())\n-----END CERTIFICATE-----\n".utf8)
        for file in [block + der, block + der + block, der + block, Data("\n".utf8) + der + block] {
            #expect(throws: MalformedInput.self) { try TrustedRoots([file]) }
        }
    }
}
