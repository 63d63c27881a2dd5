import Foundation
import StoreManagerCore

/// The files on which one app after the other goes on.
struct Files: Sendable {
    let folder: URL
    var store: URL { folder.appending(path: "store") }
    var ledger: URL { folder.appending(path: "ledger") }
    private var deliveries: URL { folder.appending(path: "deliveries") }

    /// Notes that the app was handed a transaction. The line is in the file when this returns, so that it outlives the process.
    func note(_ transaction: StoreTransaction) throws {
        if !FileManager.default.fileExists(atPath: deliveries.path) { try Data().write(to: deliveries) }
        let file = try FileHandle(forWritingTo: deliveries)
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(transaction.id)\n".utf8))
        try file.close()
    }

    /// The identifiers of the transactions that the app was handed, in order.
    func noted() -> [StoreTransaction.ID] {
        let text = (try? String(contentsOf: deliveries, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
