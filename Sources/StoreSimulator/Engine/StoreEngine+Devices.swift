import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Opens an account. The log tells of the first from the beginning, of others when an app runs on one of their devices.
    mutating func addAccount(_ name: String) -> Int {
        accounts.append(Account(name: name, isWatched: accounts.isEmpty))
        return accounts.count - 1
    }

    /// Signs a device in.
    mutating func addDevice(_ name: String, account: Int) -> Int {
        devices.append(Device(name: name, account: account))
        accounts[account].devices.append(Int32(devices.count - 1))
        return devices.count - 1
    }

    /// A process of the device begins to observe: it knows of no earlier request, and is told what is unfinished.
    mutating func observe(_ device: Int) {
        forgetProcess(of: device)
        accounts[devices[device].account].isWatched = true
        note(.observing, .device(device), .init("account", accounts[devices[device].account].name))
        var app = devices[device].app ?? Device.App()
        app.isObserving = true
        let intents = app.intents
        app.intents = []
        devices[device].app = app
        let missed = missedTransactions(of: device)
        devices[device].app?.unheard = []
        if !missed.isEmpty { notify(device, on: .updates, .transactionsUpdated(missed.compactMap { update($0) })) }
        for intent in intents { notify(device, on: .intents, .purchaseIntent(intent)) }
    }

    /// The device's observer is gone.
    mutating func stopObserving(_ device: Int) {
        note(.stoppedObserving, .device(device))
        forgetProcess(of: device)
    }

    /// The device's process ends.
    mutating func relaunch(_ device: Int) {
        note(.relaunched, .device(device))
        forgetProcess(of: device)
    }

    /// The processes of all devices end, as if the machine they run on lost its power.
    mutating func endAllProcesses() {
        for device in devices.indices { forgetProcess(of: device) }
    }

    /// A process that ends takes its requests with it, and hears nothing of what was on its way.
    private mutating func forgetProcess(of device: Int) {
        guard let app = devices[device].app else { return }
        devices[device].app?.isObserving = false
        devices[device].app?.payments = [:]
        devices[device].app?.eligibility = [:]
        for delivery in queue.removeAll(for: device) { remember(delivery) }
        for id in app.payments.keys.sorted() where history.record(of: id)?.standing == .open { strike(id) }
    }

    /// What is unfinished or was not heard, the oldest first unless the store is used to do it otherwise.
    private func missedTransactions(of device: Int) -> [UInt64] {
        var ids = unfinishedTransactions(of: devices[device].account)
        let known = Set(ids)
        ids += (devices[device].app?.unheard ?? []).filter { !known.contains($0) && history.record(of: $0) != nil }
        if controls.habits.reportsFinishedOriginals { ids += originals(ofRenewals: ids) }
        ids.sort { (lastWord(of: $0), $0) < (lastWord(of: $1), $1) }
        return controls.habits.reportsNewestFirst ? ids.reversed() : ids
    }

    /// The first transactions of the subscriptions that these renewed, where they are not among these.
    private func originals(ofRenewals ids: [UInt64]) -> [UInt64] {
        let originals = Set(ids.compactMap { history.record(of: $0)?.originalID }).subtracting(ids)
        return originals.filter { history.record(of: $0) != nil }.sorted()
    }

    private func lastWord(of id: UInt64) -> Date {
        guard let record = history.record(of: id) else { return now }
        return record.details?.signedDate ?? purchaseDate(Int32(id - record.firstID), of: record)
    }
}
