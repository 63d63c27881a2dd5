public import Foundation

extension KnownPurchase {
    /// What RMStore's `RMStoreUserDefaultsPersistence` left behind, to be handed to
    /// ``TransactionPersistence/importPurchases(_:from:)``. The defaults stay as they are; importing again is harmless.
    ///
    /// RMStore keeps, under `RMStoreTransactions`, an array of archived `RMStoreTransaction`s for each product. It wrote a
    /// transaction down again each time it was delivered and kept no quantity; a transaction that is there several times is
    /// one purchase of one piece here. What was restored under other identifiers can be told from a new purchase only by the
    /// product's type, so give the types that you know.
    ///
    /// `RMStoreKeychainPersistence` kept nothing but a count for each product, a dictionary in JSON: hand each over as a
    /// purchase of that quantity.
    ///
    /// - Parameters:
    ///   - defaults: where RMStore kept them; it always used the standard defaults.
    ///   - productTypes: the types of products, by identifier.
    ///   - decode: what undoes the app's own obfuscation, where it overrode `dataWithTransaction:`.
    /// - Throws: ``LedgerError/damaged(place:reason:)`` where an entry is not what RMStore writes, and what `decode` throws.
    ///   (On Linux, where RMStore never ran, Foundation's unarchiver stops the process at some damaged archives.)
    public static func leftByRMStore(
        in defaults: UserDefaults, productTypes: [String: StoreProductType] = [:],
        decode: (Data) throws -> Data = { $0 }
    ) throws -> [KnownPurchase] {
        guard let value = defaults.object(forKey: key) else { return [] }
        guard let products = value as? [String: Any] else { throw damaged("", "a dictionary by product", value) }
        return try products.sorted { $0.key < $1.key }.flatMap { product, value in
            guard let archives = value as? [Any] else { throw damaged(product, "an array", value) }
            var purchases: [KnownPurchase] = []
            for (index, archive) in archives.enumerated() {
                let path = "\(product)[\(index)]"
                guard let data = archive as? Data else { throw damaged(path, "data", archive) }
                guard let transaction = ArchivedRMStoreTransaction.unarchive(try decode(data)) else {
                    throw damaged(path, "an archived RMStoreTransaction", data)
                }
                let id = transaction.identifier
                if id != nil, purchases.contains(where: { $0.transactionID == id }) { continue }
                purchases.append(
                    KnownPurchase(
                        productIdentifier: product, productType: productTypes[product] ?? .unknown, transactionID: id,
                        purchaseDate: transaction.date, consumed: transaction.isConsumed ? 1 : 0))
            }
            return purchases
        }
    }

    private static let key = "RMStoreTransactions"

    private static func damaged(_ path: String, _ expected: String, _ found: Any) -> LedgerError {
        let position = path.isEmpty ? "" : " at \(path)"
        return .damaged(
            place: "the user defaults, \(key)", reason: "there should be \(expected)\(position), not \(type(of: found))"
        )
    }
}

/// Takes the place of `RMStoreTransaction` while an archive is read. Not private: such a class has no lasting name to archive by,
/// of which the compiler warns.
final class ArchivedRMStoreTransaction: NSObject, NSCoding {
    let isConsumed: Bool
    let date: Date?
    let identifier: String?

    init?(coder: NSCoder) {
        isConsumed = coder.decodeBool(forKey: "consumed")
        date = coder.decodeObject(of: NSDate.self, forKey: "transactionDate") as Date?
        // RMStore leaves out an identifier that it does not know.
        let hasIdentifier = coder.containsValue(forKey: "transactionIdentifier")
        identifier =
            hasIdentifier ? coder.decodeObject(of: NSString.self, forKey: "transactionIdentifier") as String? : nil
    }

    func encode(with coder: NSCoder) {}

    /// RMStore encodes its transaction without a key, which rules out secure coding: that reads keyed objects alone.
    static func unarchive(_ data: Data) -> ArchivedRMStoreTransaction? {
        guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.setClass(ArchivedRMStoreTransaction.self, forClassName: "RMStoreTransaction")
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject() as? ArchivedRMStoreTransaction
    }
}
