import Foundation
import StoreSimulator

@testable import StoreManagerCore

/// Files: the catalogue that a store sells, and the ledger.
extension FuzzTarget {
    func readConfiguration(_ bytes: Data) {
        guard let configuration = tolerating({ try StoreConfiguration(data: bytes) }) else { return }
        _ = configuration.table()
        _ = tolerating { try configuration.listing.jsonData() }
        for product in configuration.products {
            let sold = configuration.storeProduct(for: product)
            _ = (sold.localizedPrice, sold.subscription?.period.normalized)
        }
    }

    func readLedger(_ bytes: Data) {
        let format = LedgerFormat(place: "ledger", encoding: .plain)
        use(tolerating { try format.ledger(from: bytes).ledger })
        // What the checksum keeps out is tried as well.
        let header = "StoreKitManager ledger 1 \(bytes.checksum) \(bytes.count)\n"
        use(tolerating { try format.ledger(from: Data(header.utf8) + bytes).ledger })
    }

    private func use(_ ledger: Ledger?) {
        guard var ledger else { return }
        for product in ledger.purchasedProductIdentifiers {
            _ = (ledger.transactions(for: product), ledger.count(of: product), ledger.consume(product))
            var transaction = StoreTransaction(
                id: "1", productIdentifier: product, productType: .consumable, state: .purchased, quantity: .max,
                purchaseDate: .distantFuture)
            for original in ledger.transactions(for: product).map(\.id) + ["1"] {
                transaction.originalID = original
                ledger.record(transaction)
                ledger.markFinished(transaction)
            }
            _ = (ledger.count(of: product), ledger.consume(product, quantity: 2))
        }
        _ = tolerating { try LedgerFormat(place: "ledger", encoding: .plain).data(for: ledger) }
    }
}
