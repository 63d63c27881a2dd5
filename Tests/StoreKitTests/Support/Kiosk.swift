import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreSimulator
import Testing

/// A newly opened kiosk: nobody observes, nothing was bought, and everything goes right.
struct Kiosk {
    static let stamps = "com.example.kiosk.stamps"
    static let removeAds = "com.example.kiosk.removeads"
    static let season = "com.example.kiosk.season"
    static let goldMonthly = "com.example.kiosk.gold.monthly"
    static let goldYearly = "com.example.kiosk.gold.yearly"
    static let silverMonthly = "com.example.kiosk.silver.monthly"
    static let group = "21000001"

    let session: SKTestSession
    let store: SimulatedStore

    @MainActor
    init() throws {
        StoreKitDouble.callbackQueue = .main
        session = try SKTestSession(contentsOf: Kiosk.file)
        StoreKitDouble.relaunch()
        store = try #require(StoreKitDouble.currentStore)
    }

    static var file: URL { Bundle.module.bundleURL.appending(path: "Fixtures/Kiosk.storekit") }

    /// The product of an identifier, as StoreKit 2 gives it.
    func product(_ identifier: String) async throws -> Product {
        try #require(try await Product.products(for: [identifier]).first)
    }

    /// Buys as StoreKit 2 does; the transaction must come.
    @discardableResult
    func buy(_ identifier: String, options: Set<Product.PurchaseOption> = []) async throws -> Transaction {
        let result = try await product(identifier).purchase(options: options)
        guard case .success(let verification) = result else {
            Issue.record("The purchase ended with \(result).")
            throw CancellationError()
        }
        return try verification.payloadValue
    }

    /// The only transaction of a sequence that ends.
    static func only(_ sequence: Transaction.Transactions) async throws -> Transaction {
        let all = await all(sequence)
        #expect(all.count == 1)
        return try #require(all.first)
    }

    /// All transactions of a sequence that ends.
    static func all(_ sequence: Transaction.Transactions) async -> [Transaction] {
        var all: [Transaction] = []
        for await result in sequence { all.append(result.unsafePayloadValue) }
        return all
    }
}

/// The error that something throws; nil where it throws none.
@MainActor
func thrownError(_ body: @MainActor () async throws -> Void) async -> (any Error)? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}
