import Foundation
import StoreManagerCore
import StoreSimulator

/// Where the store behind the interface comes from.
enum StoreSource {
    /// Nobody asked for a store yet; the environment will say.
    case environment
    /// A store.
    case store(SimulatedStore)
    /// There is none, for a reason.
    case failure(MissingStoreError)

    /// The environment variable that names a `.storekit` file.
    static let variable = "STOREKIT_CONFIGURATION"

    /// A store that sells what the file lists that the environment names.
    @MainActor
    static func named(by environment: [String: String]) -> StoreSource {
        guard let path = environment[variable], !path.isEmpty else { return .failure(.notConfigured) }
        do {
            return .store(try SimulatedStore(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            return .failure(.unreadable(path: path, reason: error.localizedDescription))
        }
    }
}

/// Why there is no store.
enum MissingStoreError: LocalizedError, CustomStringConvertible, Sendable {
    /// Nobody said which.
    case notConfigured
    /// The file that the environment names cannot be read.
    case unreadable(path: String, reason: String)

    var description: String {
        switch self {
        case .notConfigured:
            "There is no store: make an SKTestSession, or name a .storekit file in \(StoreSource.variable)."
        case .unreadable(let path, let reason):
            "The file \"\(path)\" that \(StoreSource.variable) names cannot be read: \(reason)"
        }
    }

    var errorDescription: String? { description }
}
