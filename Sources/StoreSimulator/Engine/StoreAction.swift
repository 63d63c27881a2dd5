import Foundation
import StoreManagerCore

/// All that can be done to a store. A store is nothing but its configuration, its seed and the actions on it, so that a list
/// of these is a recording of its life.
/// The large ones are kept apart from the enumeration, so that a long recording is small.
enum StoreAction: Codable, Sendable {
    // What the app asks for.
    case observe(device: Int)
    case stopObserving(device: Int)
    case fetch([String], device: Int, token: SavedToken)
    indirect case pay(PaymentRequest, device: Int, token: SavedToken)
    case restore(applicationUsername: String?, device: Int, token: SavedToken)
    case finish(String, device: Int)
    case readEntitlements(device: Int, token: SavedToken, isAnswered: Bool)
    case refreshReceipt(device: Int, token: SavedToken)
    case download(StoreDownloadCommand, [DownloadKey], device: Int)
    case askEligibility(group: String, device: Int)

    // What happens to the app.
    case relaunch(device: Int)
    case deliver

    // What people do.
    case addAccount(String)
    case addDevice(String, account: Int)
    case setBuyer(StoreBuyer, account: Int)
    case answerOpenPayment(UInt64, StoreBuyer.Answer)
    case settleDeferred(UInt64, approves: Bool)
    indirect case buyOutside(PaymentRequest, date: Date?, StoreRenewalBehavior, account: Int)
    case addSubscribers(Int, product: String, interval: TimeInterval)
    case sendIntent(product: String, offerID: String?, device: Int)
    case setAutoRenew(UInt64, isOn: Bool)
    case answerPriceIncrease(UInt64, consents: Bool)

    // What the store does.
    case advance
    indirect case setControls(StoreControls)
    case resolveIssue(UInt64)
    case refund(UInt64, StoreRevocationReason, amount: Decimal?)
    case reverseRefund(UInt64)
    case removeFromQueue(UInt64)
    case delete(UInt64)
    case clearTransactions
    case reset
    case expire(product: String, account: Int)
    case forceRenewal(product: String, account: Int)
    case announcePriceIncrease(UInt64, price: Decimal?, needsConsent: Bool)
    case joinFamily(account: Int, organizer: Int)
    case leaveFamily(account: Int)
    case requestRefund(UInt64)
    case resetEligibility(group: String, account: Int)
}

extension StoreEngine {
    /// Does something to the store.
    ///
    /// - Returns: the number of the account or device that was added, the identifier of what was bought, or 0.
    /// - Throws: why it cannot be done; then the store is as it was.
    @discardableResult
    mutating func perform(_ action: StoreAction) throws(SimulatorError) -> UInt64 {
        switch action {
        case .observe(let device): observe(device)
        case .stopObserving(let device): stopObserving(device)
        case .fetch(let identifiers, let device, let saved): fetch(identifiers, for: saved.token, from: device)
        case .pay(let request, let device, let saved): pay(request, for: saved.token, from: device)
        case .restore(let user, let device, let saved):
            restore(applicationUsername: user, for: saved.token, from: device)
        case .finish(let id, let device): finish(id, from: device)
        case .readEntitlements(let device, let saved, let isAnswered):
            readEntitlements(for: saved.token, from: device, isAnswered: isAnswered)
        case .refreshReceipt(let device, let saved): refreshReceipt(for: saved.token, from: device)
        case .download(let command, let keys, let device): perform(command, on: keys, from: device)
        case .askEligibility(let group, let device):
            return introductoryEligibility(inGroup: group, device: device) ? 1 : 0
        case .relaunch(let device): relaunch(device)
        case .deliver: _ = deliverNext()
        case .addAccount(let name): return UInt64(addAccount(name))
        case .addDevice(let name, let account): return UInt64(addDevice(name, account: account))
        case .setBuyer(let buyer, let account): setBuyer(buyer, of: account)
        case .answerOpenPayment(let id, let answer): try answerOpenPayment(id, with: answer)
        case .settleDeferred(let id, let approves): try settleDeferred(id, approves: approves)
        case .buyOutside(let request, let date, let behavior, let account):
            return try buyOutside(request, on: date, behavior, account: account)
        case .addSubscribers(let count, let product, let interval):
            try addSubscribers(count, to: product, overLast: interval)
        case .sendIntent(let product, let offerID, let device): try sendIntent(product, offerID: offerID, to: device)
        case .setAutoRenew(let id, let isOn): try setAutoRenew(isOn, of: id)
        case .answerPriceIncrease(let id, let consents): try answerPriceIncrease(id, consents: consents)
        case .advance: noteAdvance()
        case .setControls(let controls): setControls(controls)
        case .resolveIssue(let id): try resolveIssue(id)
        case .refund(let id, let reason, let amount): try refund(id, because: reason, amount: amount)
        case .reverseRefund(let id): try reverseRefund(id)
        case .removeFromQueue(let id): try removeFromQueue(id)
        case .delete(let id): try delete(id)
        case .clearTransactions: clearTransactions()
        case .reset: reset()
        case .expire(let product, let account): try expire(product, account: account)
        case .forceRenewal(let product, let account): try forceRenewal(product, account: account)
        case .announcePriceIncrease(let id, let price, let needsConsent):
            try announcePriceIncrease(id, price: price, needsConsent: needsConsent)
        case .joinFamily(let account, let organizer): try joinFamily(account, of: organizer)
        case .leaveFamily(let account): try leaveFamily(account)
        case .requestRefund(let id): try requestRefund(id)
        case .resetEligibility(let group, let account): resetIntroductoryEligibility(inGroup: group, account: account)
        }
        return 0
    }
}
