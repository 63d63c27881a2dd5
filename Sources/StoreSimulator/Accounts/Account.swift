import Foundation
import StoreManagerCore

/// Somebody who buys.
struct Account: Codable, Sendable {
    var name: String
    var buyer = StoreBuyer()
    /// The first identifier of each of the account's records, in the order of their making.
    var records: [UInt64] = []
    /// The numbers of the account's subscriptions, one a group.
    var subscriptions: [Int32] = []
    /// The numbers of the account's devices.
    var devices: [Int] = []
}

/// A device that an account is signed in on.
struct Device: Codable, Sendable {
    var name: String
    var account: Int
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

    private enum CodingKeys: CodingKey { case name, account, unheard, finishesToSend }

    init(name: String, account: Int) {
        self.name = name
        self.account = account
    }
}

/// A payment of a running process.
struct OpenPayment: Codable, Sendable {
    var token: SavedToken
    var request: PaymentRequest
    var wasDeferred = false
}
