import Foundation
import StoreSimulator
import Testing

/// The `.storekit` files that were written for these tests, one for each shape of the format.
enum Fixture {
    /// The names of the files that can be read, without their ending.
    static let names = [
        "v1.0", "v1.1", "v1.2", "v2.0", "v3.0", "v4.0", "v5.0", "v6.3", "v9.17", "handmade",
    ]

    static func data(_ name: String, ending: String = "storekit") throws -> Data {
        try Data(contentsOf: url(name, ending: ending))
    }

    static func url(_ name: String, ending: String = "storekit") throws -> URL {
        try #require(Bundle.module.url(forResource: name, withExtension: ending, subdirectory: "Fixtures"))
    }

    static func configuration(_ name: String) throws -> StoreConfiguration {
        try StoreConfiguration(contentsOf: url(name))
    }
}

extension StoreConfiguration {
    /// The subscription terms of a product that must be there.
    func terms(_ identifier: String) throws -> Subscription {
        try #require(product(withIdentifier: identifier)?.subscription)
    }
}
