#if canImport(Security)
import Foundation
import Security

/// A ledger in the keychain, where it outlives the app's deletion (on iOS) and other apps cannot read it.
///
/// While the keychain is locked, before the first unlock after a start of the device, reading and writing throw, and nothing is
/// written over. There is no lock between processes: of two changes at the same time the later wins. The keychain is made for
/// small things; keep a long history in a ``FilePersistence``. On macOS it needs the keychain entitlement of a signed app.
///
/// What an entry's statuses lead to is tested everywhere; the three calls of the system below were compiled on none but Apple's.
public actor KeychainPersistence: TransactionPersistence {
    private var stored: StoredLedger<KeychainEntry>

    /// Keeps the ledger in a generic password.
    ///
    /// - Parameters:
    ///   - service: the password's service, such as the app's bundle identifier.
    ///   - account: the password's account.
    ///   - accessGroup: the keychain group of several apps that share the ledger; nil for the app's own.
    ///   - encoding: what is done to the bytes before they are kept.
    public init(
        service: String, account: String = "StoreKitManagerLedger", accessGroup: String? = nil,
        encoding: LedgerEncoding = .plain
    ) {
        let item = SystemKeychainItem(service: service, account: account, accessGroup: accessGroup)
        stored = StoredLedger(medium: KeychainEntry(item: item), encoding: encoding)
    }

    /// Lends the ledger to `body`.
    ///
    /// - Throws: what `body` throws, or a ``LedgerError``; the ledger is as it was then.
    public func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) throws -> Result {
        try stored.withLedger(body)
    }
}

private struct SystemKeychainItem: KeychainItem {
    let service: String
    let account: String
    let accessGroup: String?

    var name: String { "\(service)/\(account)" }

    func copy() -> (status: Int32, data: Data?) {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]), &result)
        return (status, result as? Data)
    }

    func update(_ data: Data) -> Int32 {
        SecItemUpdate(query([:]), [kSecValueData: data] as [CFString: Any] as CFDictionary)
    }

    func add(_ data: Data) -> Int32 {
        SecItemAdd(query([kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]), nil)
    }

    private func query(_ more: [CFString: Any]) -> CFDictionary {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
            kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        query.merge(more) { $1 }
        return query as CFDictionary
    }
}
#endif
