public import Foundation

extension TestSigner {
    /// Makes an app receipt: a PKCS#7 in the form of Apple's, signed with RSA and SHA-256.
    ///
    /// - Parameters:
    ///   - contents: What the receipt shall say. It needs a creation date to be verified. What is nil is left out.
    ///   - deviceIdentifier: The device that it is issued to, to which its hash is made; nil keeps the hash in `contents`.
    /// - Returns: The receipt file.
    public func appReceipt(_ contents: ReceiptContents, deviceIdentifier: Data? = nil) throws -> Data {
        var contents = contents
        contents.bundleIdentifierData = contents.bundleIdentifier.map { Data(DER.text($0)) }
        if let deviceIdentifier {
            contents.opaqueValue = contents.opaqueValue ?? Data(repeating: 0, count: 16)
            contents.deviceHash = contents.makeDeviceHash(for: deviceIdentifier)
        }
        return try appReceipt(content: contents.encoding)
    }

    /// Signs any content as an app receipt is signed.
    func appReceipt(content: [UInt8]) throws -> Data {
        let signature = try receiptSigner.key.signature(.certificate, over: ContiguousArray(content).span, .sha256)
        let digest = DER.algorithm(.sha256, hasNull: true)
        let signer = DER.element(
            .sequence,
            DER.integer(1),
            receiptSigner.issuerAndSerialNumber(.receiptSigner, issuer: intermediate),
            digest,
            DER.algorithm(.rsaEncryption, hasNull: true),
            DER.element(.octetString, signature))
        let signedData = DER.element(
            .sequence,
            DER.integer(1),
            DER.element(.set, digest),
            DER.element(
                .sequence, DER.identifier(.data), DER.element(.explicit(0), DER.element(.octetString, content))),
            DER.element(.explicit(0), receiptSigner.encoding, intermediate.encoding, root.encoding),
            DER.element(.set, signer))
        return Data(
            DER.element(.sequence, DER.identifier(.signedData), DER.element(.explicit(0), signedData)))
    }
}

extension ReceiptContents {
    /// The SET of attributes that says all this.
    fileprivate var encoding: [UInt8] {
        var attributes: [[UInt8]?] = [
            attribute(.receiptType, receiptType.map { DER.text($0) }),
            attribute(.appAppleID, appAppleID.map(DER.integer)),
            attribute(.bundleIdentifier, bundleIdentifier.map { DER.text($0) }),
            attribute(.applicationVersion, applicationVersion.map { DER.text($0) }),
            attribute(.opaqueValue, opaqueValue.map(Array.init)),
            attribute(.deviceHash, deviceHash.map(Array.init)),
            attribute(.ageRating, ageRating.map { DER.text($0, .ia5String) }),
            attribute(.creationDate, creationDate.map(DER.receiptDate)),
            attribute(.downloadID, downloadID.map(DER.integer)),
            attribute(.versionExternalIdentifier, versionExternalIdentifier.map(DER.integer)),
            attribute(.originalPurchaseDate, originalPurchaseDate.map(DER.receiptDate)),
            attribute(.originalApplicationVersion, originalApplicationVersion.map { DER.text($0) }),
            attribute(.expirationDate, expirationDate.map(DER.receiptDate)),
            attribute(.preorderDate, preorderDate.map(DER.receiptDate)),
        ]
        attributes += purchases.map { DER.attribute(Self.purchaseType, $0.encoding) }
        attributes += otherAttributes.map { DER.attribute($0.type, Array($0.value), version: $0.version) }
        return DER.set(of: attributes.compactMap { $0 })
    }

    private func attribute(_ type: Attribute, _ value: [UInt8]?) -> [UInt8]? {
        value.map { DER.attribute(type.rawValue, $0) }
    }
}

extension InAppPurchase {
    /// The SET of attributes that says all this.
    fileprivate var encoding: [UInt8] {
        var attributes: [[UInt8]?] = [
            attribute(.quantity, DER.integer(Int64(quantity))),
            attribute(.productIdentifier, DER.text(productIdentifier)),
            attribute(.transactionIdentifier, DER.text(transactionIdentifier)),
            attribute(.purchaseDate, purchaseDate.map(DER.receiptDate)),
            attribute(.originalTransactionIdentifier, originalTransactionIdentifier.map { DER.text($0) }),
            attribute(.originalPurchaseDate, originalPurchaseDate.map(DER.receiptDate)),
            attribute(.productType, productType.map { DER.integer(Int64($0.rawValue)) }),
            attribute(.expirationDate, expirationDate.map(DER.receiptDate)),
            attribute(.productAppleID, productAppleID.map(DER.integer)),
            attribute(.webOrderLineItemID, webOrderLineItemID.map(DER.integer)),
            attribute(.cancellationDate, cancellationDate.map(DER.receiptDate)),
            attribute(.isTrialPeriod, isTrialPeriod.map { DER.integer($0 ? 1 : 0) }),
            attribute(.isInIntroductoryOfferPeriod, isInIntroductoryOfferPeriod.map { DER.integer($0 ? 1 : 0) }),
            attribute(.cancellationReason, cancellationReason.map { DER.integer(Int64($0)) }),
            attribute(.promotionalOfferIdentifier, promotionalOfferIdentifier.map { DER.text($0) }),
        ]
        attributes += otherAttributes.map { DER.attribute($0.type, Array($0.value), version: $0.version) }
        return DER.set(of: attributes.compactMap { $0 })
    }

    private func attribute(_ type: Attribute, _ value: [UInt8]?) -> [UInt8]? {
        value.map { DER.attribute(type.rawValue, $0) }
    }
}

extension DER {
    /// An attribute of a receipt.
    static func attribute(_ type: Int, _ value: [UInt8], version: Int = 1) -> [UInt8] {
        element(.sequence, integer(Int64(type)), integer(Int64(version)), element(.octetString, value))
    }

    /// A date as receipts write it, to the millisecond.
    fileprivate static func receiptDate(_ date: Date) -> [UInt8] {
        let isWhole = date.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) == 0
        return text(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole)), .ia5String)
    }
}
