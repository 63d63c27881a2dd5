import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Sends an answer to a request.
    mutating func answer(
        _ token: RequestToken, of device: Int, on interface: StoreInterface, _ event: StoreBackendEvent
    ) {
        send(Delivery(device: device, interface: interface, lane: .request(token), event: event))
    }

    /// Sends what nobody asked for.
    mutating func notify(_ device: Int, on interface: StoreInterface, _ event: StoreBackendEvent) {
        messageCount += 1
        send(Delivery(device: device, interface: interface, lane: .message(messageCount), event: event))
    }

    /// Tells every device of an account on which the app runs, or did, the newest word about a transaction.
    ///
    /// - Parameter payment: The payment that it answers, for the device that made it.
    mutating func announce(_ id: UInt64, answering payment: UInt64? = nil) {
        guard let record = history.record(of: id) else { return }
        for device in accounts[Int(record.account)].devices.map({ Int($0) }) where devices[device].app != nil {
            if let payment, devices[device].app?.payments[payment] != nil {
                answerPayment(payment, of: device, with: id)
                guard record.standing == .paid, repeatsOnUpdates(record) else { continue }
            }
            if record.standing == .paid, let update = update(id) {
                notify(device, on: .updates, .transactionsUpdated([update]))
            }
        }
    }

    /// Answers a payment with a transaction, which ends it unless it is only on its way.
    ///
    /// - Parameter state: The state to show it in, where that is not its own.
    mutating func answerPayment(
        _ payment: UInt64, of device: Int, with id: UInt64, in state: StoreTransactionState? = nil
    ) {
        guard let open = devices[device].app?.payments[payment], var update = update(id) else { return }
        if let state { update.transaction.state = state }
        let carriage = controls.habits.tokenCarriage
        let isCarried = carriage == .always || carriage == .unlessDeferred && !open.wasDeferred
        update.token = isCarried ? open.token : nil
        update.queued = queued(payment, open.request)
        answer(open.token, of: device, on: .purchase, .transactionsUpdated([update]))
        if update.transaction.state != .purchasing, update.transaction.state != .deferred {
            devices[device].app?.payments[payment] = nil
        }
    }

    /// The newest word about a transaction, for a device that did not ask for it.
    func update(_ id: UInt64) -> StoreTransactionUpdate? {
        guard let record = history.record(of: id) else { return nil }
        var request = PaymentRequest(productIdentifier: product(of: record).id)
        request.quantity = termsTable[record.terms].quantity
        request.applicationUsername = record.details?.applicationUsername
        let error = record.state == .failed ? failure(of: id).storeError : nil
        return StoreTransactionUpdate(
            transaction(Int32(id - record.firstID), of: record), error: error, queued: queued(id, request))
    }

    /// Why a payment failed.
    func failure(of id: UInt64) -> StoreAPIFailure { history.record(of: id)?.details?.failure ?? .generic(.unknown) }

    /// What is reported next, if anything is ready; it counts as reported from now on.
    mutating func deliverNext() -> Delivery? {
        guard let delivery = queue.next(faults: controls.faults, using: &random) else { return nil }
        note(.delivered, .device(delivery.device), fields: delivery.event.logFields)
        return delivery
    }

    /// Keeps what a device must still hear of when it observes again.
    mutating func remember(_ delivery: Delivery) {
        switch delivery.event {
        case .transactionsUpdated(let updates):
            for id in updates.compactMap({ UInt64($0.transaction.id) })
            where history.record(of: id)?.standing == .paid
                && devices[delivery.device].app?.unheard.contains(id) == false
            {
                devices[delivery.device].app?.unheard.append(id)
            }
        case .purchaseIntent(let intent):
            devices[delivery.device].app?.intents.append(intent)
        default:
            break
        }
    }

    /// Whether a purchase made here is also told as news.
    private func repeatsOnUpdates(_ record: PurchaseRecord) -> Bool {
        controls.habits.repeatsSubscriptionPurchases && product(of: record).type == .autoRenewable
    }

    /// What a store that knows no tokens tells instead.
    private func queued(_ handle: UInt64, _ request: PaymentRequest) -> StoreQueuedPayment? {
        guard controls.habits.tokenCarriage == .never else { return nil }
        return StoreQueuedPayment(handle: handle, fingerprint: request.fingerprint)
    }

    /// Puts a delivery on its way, and astray where the faults say so.
    private mutating func send(_ delivery: Delivery) {
        guard devices[delivery.device].app?.isObserving == true else { return remember(delivery) }
        let fault = controls.faults[delivery.interface]
        if random.happens(withProbability: fault.loss) {
            note(.lost, .device(delivery.device), fields: delivery.event.logFields)
            return remember(delivery)
        }
        enqueue(delivery, fault)
        if random.happens(withProbability: fault.duplication) {
            note(.duplicated, .device(delivery.device), fields: delivery.event.logFields)
            messageCount += 1
            var copy = delivery
            copy.lane = .message(messageCount)
            enqueue(copy, fault)
        }
    }

    private mutating func enqueue(_ delivery: Delivery, _ fault: StoreFault) {
        let delay = random.number(in: fault.delay)
        queue.enqueue(delivery, due: delay > 0 ? (present ?? now) + delay : nil, faults: controls.faults)
    }
}
