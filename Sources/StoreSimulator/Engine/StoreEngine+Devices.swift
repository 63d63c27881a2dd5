import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Opens an account.
    mutating func addAccount(_ name: String) -> Int {
        accounts.append(Account(name: name))
        note(.account, of: name)
        return accounts.count - 1
    }

    /// Signs a device in.
    mutating func addDevice(_ name: String, account: Int) -> Int {
        devices.append(Device(name: name, account: account))
        accounts[account].devices.append(devices.count - 1)
        note(.device, of: name, .init("account", accounts[account].name))
        return devices.count - 1
    }

    /// A process of the device begins to observe: it knows of no earlier request, and is told what is unfinished.
    mutating func observe(_ device: Int) {
        forgetProcess(of: device)
        devices[device].isObserving = true
        note(.observing, of: devices[device].name)
        let missed = missedTransactions(of: device)
        devices[device].unheard = []
        if !missed.isEmpty { notify(device, on: .updates, .transactionsUpdated(missed.compactMap { update($0) })) }
        let intents = devices[device].intents
        devices[device].intents = []
        for intent in intents { notify(device, on: .intents, .purchaseIntent(intent)) }
    }

    /// The device's observer is gone.
    mutating func stopObserving(_ device: Int) {
        note(.stoppedObserving, of: devices[device].name)
        forgetProcess(of: device)
    }

    /// The device's process ends.
    mutating func relaunch(_ device: Int) {
        note(.relaunched, of: devices[device].name)
        forgetProcess(of: device)
    }

    /// Looks products up.
    mutating func fetch(_ identifiers: [String], for token: RequestToken, from device: Int) {
        note(.fetch, of: devices[device].name, .init("products", identifiers.joined(separator: ",")), .token(token))
        if let failure = failure(of: .loadProducts, on: .products) {
            return answer(token, of: device, on: .products, .productFetchFailed(failure.storeError, for: token))
        }
        var asked: Set<String> = []
        let found = identifiers.filter { asked.insert($0).inserted }.flatMap { catalogue.products($0) }
        answer(token, of: device, on: .products, .productsFetched(found.map { storeProduct($0) }, for: token))
    }

    /// Takes a transaction off the app's list of things to deal with.
    mutating func finish(_ id: String, from device: Int) {
        note(.finish, of: devices[device].name, .init("transaction", id))
        if controls.faults[.finish].isOffline {
            devices[device].finishesToSend.append(id)
        } else {
            completeFinish(id, from: device)
        }
    }

    /// Reads what the account is entitled to.
    mutating func readEntitlements(for token: RequestToken, from device: Int) {
        note(.entitlements, of: devices[device].name, .token(token))
        let result: Result<[StoreTransaction], StoreError> =
            if let failure = failure(of: .subscriptionStatus, on: .entitlements) {
                .failure(failure.storeError)
            } else {
                .success(currentEntitlements(of: devices[device].account).compactMap { transaction($0) })
            }
        answer(token, of: device, on: .entitlements, .entitlementsRead(result, for: token))
    }

    /// Renews the device's receipt.
    mutating func refreshReceipt(for token: RequestToken, from device: Int) {
        note(.receipt, of: devices[device].name, .token(token))
        let error = failure(of: .appTransaction, on: .receipt)?.storeError
        answer(token, of: device, on: .receipt, .receiptRefreshed(error, for: token))
    }

    /// The failure that an interface shows now.
    func failure(of api: StoreAPI, on interface: StoreInterface) -> StoreAPIFailure? {
        controls.faults[interface].isOffline ? .generic(.networkError) : controls.simulatedErrors[api]
    }

    /// What is unfinished or was not heard, the oldest first unless the store is used to do it otherwise.
    private func missedTransactions(of device: Int) -> [UInt64] {
        var ids = unfinishedTransactions(of: devices[device].account)
        let known = Set(ids)
        ids += devices[device].unheard.filter { !known.contains($0) && history.record(of: $0) != nil }
        ids.sort { (lastWord(of: $0), $0) < (lastWord(of: $1), $1) }
        return controls.habits.reportsNewestFirst ? ids.reversed() : ids
    }

    private func lastWord(of id: UInt64) -> Date {
        guard let record = history.record(of: id) else { return now }
        return record.details?.signedDate ?? purchaseDate(Int32(id - record.firstID), of: record)
    }

    /// Finishes what was asked to be finished while the store could not be reached.
    mutating func sendFinishes() {
        for device in devices.indices {
            let ids = devices[device].finishesToSend
            devices[device].finishesToSend = []
            for id in ids { completeFinish(id, from: device) }
        }
    }

    private mutating func completeFinish(_ id: String, from device: Int) {
        if let number = UInt64(id), let place = history.position(of: number),
            Int(history.records[place].account) == devices[device].account
        {
            history.update(at: place) { $0.finished.insert(Int32(number - $0.firstID)) }
        }
        notify(device, on: .finish, .transactionFinished(id))
    }

    /// A process that ends takes its requests with it, and hears nothing of what was on its way.
    private mutating func forgetProcess(of device: Int) {
        let payments = devices[device].payments.keys.sorted()
        devices[device].isObserving = false
        devices[device].payments = [:]
        for delivery in queue.removeAll(for: device) { remember(delivery) }
        for id in payments where history.record(of: id)?.standing == .open { strike(id) }
    }
}
