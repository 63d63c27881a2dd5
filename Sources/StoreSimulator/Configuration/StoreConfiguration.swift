public import Foundation

/// The catalogue and the settings of a store, as Xcode keeps them in a `.storekit` file.
///
/// Files of every version from 1.0 to 6.3 are read. A higher version and unknown keys are no error; subscription suites and
/// bundles (6.3), which the store does not sell one by one, are not read.
public struct StoreConfiguration: Hashable, Codable, Sendable {
    /// The version of the file format.
    public var version: Version
    /// The file's own identifier; empty before version 1.1.
    public var identifier: String
    /// All that is sold, in the order of the file: products, non-renewing subscriptions, then the subscriptions group by
    /// group. Where one identifier stands twice both are here, and the first one counts.
    public var products: [Product]
    /// The subscription groups, in the order of the file.
    public var subscriptionGroups: [SubscriptionGroup]
    /// How the store behaves.
    public var settings: Settings
    /// The key that signs promotional offers; nil where the file has none.
    public var offersKeyPair: OffersKeyPair?
    /// The app's licence and privacy policies; nil before version 4.0.
    public var appPolicies: AppPolicies?

    /// Makes a configuration without a file, as tests do.
    public init(
        version: Version = Version(major: 4, minor: 0), identifier: String = "", products: [Product] = [],
        subscriptionGroups: [SubscriptionGroup] = [], settings: Settings = Settings(),
        offersKeyPair: OffersKeyPair? = nil, appPolicies: AppPolicies? = nil
    ) {
        self.version = version
        self.identifier = identifier
        self.products = products
        self.subscriptionGroups = subscriptionGroups
        self.settings = settings
        self.offersKeyPair = offersKeyPair
        self.appPolicies = appPolicies
    }

    /// Reads a `.storekit` file.
    ///
    /// - Throws: ``StoreConfigurationError``, with the file's name, the place in it, and what would be right there.
    public init(contentsOf url: URL) throws(StoreConfigurationError) {
        do {
            try self.init(data: Data(contentsOf: url))
        } catch var error as StoreConfigurationError {
            error.file = url.lastPathComponent
            throw error
        } catch {
            throw StoreConfigurationError(unreadable: url, error)
        }
    }

    /// Reads the content of a `.storekit` file.
    ///
    /// - Throws: ``StoreConfigurationError``, with the place in the data and what would be right there.
    public init(data: Data) throws(StoreConfigurationError) {
        self.init(try ConfigurationReader.read(data))
    }

    /// The first product of this identifier; nil where there is none.
    public func product(withIdentifier identifier: String) -> Product? {
        products.first { $0.id == identifier }
    }

    /// The products of a subscription group, in the order of the file.
    public func products(inGroup groupID: String) -> [Product] {
        products.filter { $0.subscription?.groupID == groupID }
    }

    /// The version of the format, such as 4.0.
    public struct Version: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
        /// The number before the point.
        public var major: Int
        /// The number after the point.
        public var minor: Int

        /// Makes a version.
        public init(major: Int, minor: Int) {
            self.major = major
            self.minor = minor
        }

        /// The version in print, such as `4.0`.
        public var description: String { "\(major).\(minor)" }

        /// Whether one version came before another.
        public static func < (lhs: Version, rhs: Version) -> Bool {
            (lhs.major, lhs.minor) < (rhs.major, rhs.minor)
        }
    }

    /// What an app says about its terms.
    public struct AppPolicies: Hashable, Codable, Sendable {
        /// The licence agreement or its address; may be empty.
        public var eula: String
        /// The privacy policy in each language.
        public var policies: [Policy]

        /// Makes policies.
        public init(eula: String = "", policies: [Policy] = []) {
            self.eula = eula
            self.policies = policies
        }

        /// A privacy policy in one language.
        public struct Policy: Hashable, Codable, Sendable {
            /// The locale, such as `en_US`.
            public var locale: String
            /// The text; may be empty.
            public var text: String
            /// The address; may be empty.
            public var url: String

            /// Makes a policy.
            public init(locale: String, text: String = "", url: String = "") {
                self.locale = locale
                self.text = text
                self.url = url
            }
        }
    }
}
