import Foundation
import StoreManagerCore

/// What an app asks for, except for payments and restores.
extension StoreEngine {
    /// Looks products up.
    mutating func fetch(_ identifiers: [String], for token: RequestToken, from device: Int) {
        note(.fetch, .device(device), .init("products", identifiers.joined(separator: ",")), .token(token))
        if let failure = failure(of: .loadProducts, on: .products) {
            return answer(token, of: device, on: .products, .productFetchFailed(failure.storeError, for: token))
        }
        var asked: Set<String> = []
        let found = identifiers.filter { asked.insert($0).inserted }.flatMap { catalogue.products($0) }
        let sold = found.filter { controls.sells($0.id) }
        answer(token, of: device, on: .products, .productsFetched(sold.map { storeProduct($0) }, for: token))
    }

    /// Takes a transaction off the app's list of things to deal with.
    mutating func finish(_ id: String, from device: Int) {
        note(.finish, .device(device), .init("transaction", id))
        if controls.faults[.finish].isOffline, devices[device].app != nil {
            devices[device].app?.finishesToSend.append(id)
        } else {
            completeFinish(id, from: device)
        }
    }

    /// Finishes what was asked to be finished while the store could not be reached.
    mutating func sendFinishes() {
        for device in devices.indices {
            guard let ids = devices[device].app?.finishesToSend, !ids.isEmpty else { continue }
            devices[device].app?.finishesToSend = []
            for id in ids { completeFinish(id, from: device) }
        }
    }

    /// Reads what the account is entitled to.
    ///
    /// - Parameter isAnswered: Whether whoever asks is told more than that there is nothing.
    mutating func readEntitlements(for token: RequestToken, from device: Int, isAnswered: Bool) {
        note(.entitlements, .device(device), .token(token))
        let result: Result<[StoreTransaction], StoreError> =
            if let failure = failure(of: .subscriptionStatus, on: .entitlements) {
                .failure(failure.storeError)
            } else {
                .success(
                    (isAnswered ? currentEntitlements(of: devices[device].account) : []).compactMap { transaction($0) })
            }
        answer(token, of: device, on: .entitlements, .entitlementsRead(result, for: token))
    }

    /// Renews the device's receipt.
    mutating func refreshReceipt(for token: RequestToken, from device: Int) {
        note(.receipt, .device(device), .token(token))
        let error = failure(of: .appTransaction, on: .receipt)?.storeError
        answer(token, of: device, on: .receipt, .receiptRefreshed(error, for: token))
    }

    /// The failure that an interface shows now.
    func failure(of api: StoreAPI, on interface: StoreInterface) -> StoreAPIFailure? {
        controls.faults[interface].isOffline ? .generic(.networkError) : controls.simulatedErrors[api]
    }

    private mutating func completeFinish(_ id: String, from device: Int) {
        if let number = UInt64(id), let place = history.position(of: number),
            Int(history.records[place].account) == devices[device].account
        {
            history.update(at: place) { $0.finished.insert(Int32(number - $0.firstID)) }
        }
        notify(device, on: .finish, .transactionFinished(id))
    }
}
