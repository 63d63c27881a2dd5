import Foundation
import StoreManagerCore
import StoreSimulator

// The app's receipt, which is a file.
extension StoreLink {
    /// Writes the receipt as it is now, where somebody signs one; removes it where nobody does.
    func writeReceipt() {
        guard let store, store.signer != nil, let receipt = store.receiptData() else {
            try? FileManager.default.removeItem(at: receiptURL)
            return
        }
        let folder = receiptURL.deletingLastPathComponent()
        // Where it cannot be written there is no receipt, as on a device whose receipt is missing.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? receipt.write(to: receiptURL, options: .atomic)
    }

    /// Where the receipt lies unless it is told otherwise.
    nonisolated static let defaultReceiptURL = FileManager.default.temporaryDirectory
        .appending(path: "StoreKit-\(ProcessInfo.processInfo.processIdentifier)").appending(path: "receipt")
}
