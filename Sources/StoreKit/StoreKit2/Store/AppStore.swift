public import Foundation
import StoreManagerCore
import StoreSimulator

/// The store.
public enum AppStore: Sendable {
    /// Whether this device, and the person at it, may pay. Without a store nobody forbids it: a purchase says what is missing.
    public static var canMakePayments: Bool { StoreLink.read { $0.store?.canMakePayments ?? true } }

    /// What ``Transaction/deviceVerification`` is made of, beside the nonce; nil where nothing ties signed data to the device.
    public static var deviceVerificationID: UUID? { nil }

    /// The age rating of the app; nil where it has none.
    public static var ageRatingCode: Int? { get async { nil } }

    /// Asks the store for everything that the account owns; the person has to sign in.
    ///
    /// - Throws: ``StoreKitError``.
    public static func sync() async throws { try await StoreLink.shared.sync() }

    /// Where something was bought. The set is open: any raw value is one.
    public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's name.
        public let rawValue: String
        /// Keeps the store's name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Real money.
        public static let production = Environment(rawValue: "Production")
        /// Apple's sandbox.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// Store testing on a developer's machine.
        public static let xcode = Environment(rawValue: "Xcode")

        init(_ environment: StoreEnvironment?) { self.init(rawValue: environment?.rawValue ?? "Xcode") }
    }

    /// A platform that apps are sold for. The set is open: any raw value is one.
    public struct Platform: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's name.
        public let rawValue: String
        /// Keeps the store's name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// iPhone and iPad.
        public static let iOS = Platform(rawValue: "iOS")
        /// Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")
    }
}
