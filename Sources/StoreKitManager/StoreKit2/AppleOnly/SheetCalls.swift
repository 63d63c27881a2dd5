#if os(iOS) || os(visionOS) || os(macOS)
// What the sheets in scenes and windows share; see there for what could not be run.
import StoreKit
import StoreManagerCore

/// Calls StoreKit, and gives its errors in the words of the package.
@MainActor
func storeKitCall<Result: Sendable>(_ call: @MainActor () async throws -> Result) async throws -> Result {
    do {
        return try await call()
    } catch {
        throw StoreError(storeKit2: error)
    }
}

extension StoreTransaction {
    /// StoreKit's number of the transaction.
    var storeKitID: UInt64 {
        get throws {
            guard let id = UInt64(id) else { throw StoreError.unsupported("refunds of what was not bought") }
            return id
        }
    }
}
#endif
