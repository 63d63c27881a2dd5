import Foundation
import StoreManagerCore

/// A device that an account is signed in on.
struct Device: Codable, Sendable {
    let name: String
    let account: Int
    /// What only a device has on which the app runs, or did.
    var app: App?

    /// The app on a device.
    struct App: Codable, Sendable {
        /// Transactions that changed while nobody observed, or whose report was lost.
        var unheard: [UInt64] = []
        /// What was asked to be finished while the store could not be reached.
        var finishesToSend: [String] = []

        // What follows is not saved.
        var isObserving = false
        /// Purchases that were begun in the store while nobody observed.
        var intents: [StorePurchaseIntent] = []
        /// The payments of this process that the store still has an answer to.
        var payments: [UInt64: OpenPayment] = [:]
        /// The answers on introductory offers that the process was given, by group.
        var eligibility: [String: Bool] = [:]

        private enum CodingKeys: CodingKey { case unheard, finishesToSend }
    }
}

/// A payment of a running process.
struct OpenPayment: Sendable {
    var token: RequestToken
    var request: PaymentRequest
    var wasDeferred = false
}
