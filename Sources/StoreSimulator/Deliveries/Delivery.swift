import Foundation
import StoreManagerCore

/// Something on its way from the store to an app.
struct Delivery: Sendable {
    /// The number of the device.
    var device: Int
    var interface: StoreInterface
    var lane: Lane
    var event: StoreBackendEvent

    /// What must stay in order among itself, however much deliveries are mixed up.
    enum Lane: Hashable, Sendable {
        /// All that answers one request.
        case request(RequestToken)
        /// A message by itself.
        case message(Int)
    }
}
