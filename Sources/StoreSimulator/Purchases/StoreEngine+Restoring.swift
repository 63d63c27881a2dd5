import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Lists what the account owns. A user name is only noted: the store has one account, whatever the app calls it.
    mutating func restore(applicationUsername: String?, for token: RequestToken, from device: Int) {
        note(.restore, .device(device), applicationUsername.map { .init("user", $0) }, .token(token))
        if let failure = failure(of: .appStoreSync, on: .restore) {
            return answer(token, of: device, on: .restore, .restoreFailed(failure.storeError, for: token))
        }
        let updates = currentEntitlements(of: devices[device].account).compactMap { owned -> StoreTransactionUpdate? in
            let id = controls.habits.restoresAsCopies ? copy(of: owned) : owned
            guard var update = update(id) else { return nil }
            update.transaction.state = .restored
            update.token = token
            return update
        }
        if !updates.isEmpty { answer(token, of: device, on: .restore, .transactionsUpdated(updates)) }
        answer(token, of: device, on: .restore, .restoreFinished(for: token))
    }

    /// A transaction that says again what another one said, under an identifier of its own; returns that.
    private mutating func copy(of id: UInt64) -> UInt64 {
        guard let record = history.record(of: id) else { return id }
        let index = Int32(id - record.firstID)
        var copy = record
        copy.firstID = history.reserve()
        copy.count = 1
        copy.offset = record.offset + index
        copy.cutOff = expirationDate(index, of: record)
        copy.beginsWithRenewal = record.beginsWithRenewal || index > 0
        copy.isCopy = true
        copy.finished = FinishedMarks()
        _ = enter(copy)
        return copy.firstID
    }
}
