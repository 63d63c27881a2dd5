import Foundation
import StoreManagerCore

/// Somebody who buys.
struct Account: Codable, Sendable {
    var name: String
    var buyer = StoreBuyer()
    /// Whether the log tells of it: an app runs on one of its devices, or did.
    var isWatched: Bool
    /// The first identifier of each of the account's records, in the order of their making.
    var records: [UInt64] = []
    /// The numbers of the account's subscriptions: its own, one a group, and its shares in others'.
    var subscriptions: [Int32] = []
    /// The numbers of the account's devices.
    var devices: [Int32] = []
    /// The groups whose introductory offer may be had again, though one was redeemed up to the transaction given.
    var forgivenOffers: [String: UInt64] = [:]
    /// The account whose family it is a member of.
    var organizer: Int32?
    /// The members of its family.
    var members: [Int32] = []
}
