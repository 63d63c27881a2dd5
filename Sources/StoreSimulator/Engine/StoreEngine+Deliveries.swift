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

    /// Tells every device of an account the newest word about a transaction.
    ///
    /// - Parameters:
    ///   - state: The state to show it in, where that is not its own.
    ///   - payment: The payment that it answers.
    mutating func announce(_ id: UInt64, in state: StoreTransactionState? = nil, answering payment: UInt64? = nil) {
        guard let record = history.record(of: id) else { return }
        for device in accounts[Int(record.account)].devices {
            if let payment, devices[device].payments[payment] != nil {
                answerPayment(payment, of: device, with: id, in: state)
            } else if record.standing == .paid, state == nil, let update = update(id) {
                notify(device, on: .updates, .transactionsUpdated([update]))
            }
        }
    }

    /// Answers a payment with a transaction, which ends it unless it is only on its way.
    mutating func answerPayment(
        _ payment: UInt64, of device: Int, with id: UInt64, in state: StoreTransactionState? = nil
    ) {
        guard let open = devices[device].payments[payment], var transaction = transaction(id) else { return }
        if let state { transaction.state = state }
        let carriage = controls.habits.tokenCarriage
        let isCarried = carriage == .always || carriage == .unlessDeferred && !open.wasDeferred
        let update = StoreTransactionUpdate(
            transaction, token: isCarried ? open.token.token : nil,
            error: transaction.state == .failed ? failure(of: id).storeError : nil,
            queued: queued(payment, open.request))
        answer(open.token.token, of: device, on: .purchase, .transactionsUpdated([update]))
        if transaction.state != .purchasing, transaction.state != .deferred { devices[device].payments[payment] = nil }
    }

    /// The newest word about a transaction, for a device that did not ask for it.
    func update(_ id: UInt64) -> StoreTransactionUpdate? {
        guard let record = history.record(of: id) else { return nil }
        var request = PaymentRequest(productIdentifier: product(of: record).id)
        request.quantity = termsTable[record.terms].quantity
        request.applicationUsername = record.details?.applicationUsername
        return StoreTransactionUpdate(
            transaction(Int32(id - record.firstID), of: record),
            error: record.state == .failed ? failure(of: id).storeError : nil, queued: queued(id, request))
    }

    /// Why a payment failed.
    func failure(of id: UInt64) -> StoreAPIFailure { history.record(of: id)?.details?.failure ?? .generic(.unknown) }

    /// What is reported next, if anything is ready; it counts as reported from now on.
    mutating func deliverNext() -> Delivery? {
        guard let delivery = queue.next(faults: controls.faults, using: &random) else { return nil }
        note(.delivered, of: devices[delivery.device].name, fieldsOf: delivery.event)
        return delivery
    }

    /// What a store that knows no tokens tells instead.
    private func queued(_ handle: UInt64, _ request: PaymentRequest) -> StoreQueuedPayment? {
        guard controls.habits.tokenCarriage == .never else { return nil }
        return StoreQueuedPayment(handle: handle, fingerprint: request.fingerprint)
    }

    /// Puts a delivery on its way, and astray where the faults say so.
    private mutating func send(_ delivery: Delivery) {
        guard devices[delivery.device].isObserving else { return remember(delivery) }
        let fault = controls.faults[delivery.interface]
        let name = devices[delivery.device].name
        if random.happens(withProbability: fault.loss) {
            note(.lost, of: name, fieldsOf: delivery.event)
            return remember(delivery)
        }
        enqueue(delivery, fault)
        if random.happens(withProbability: fault.duplication) {
            note(.duplicated, of: name, fieldsOf: delivery.event)
            messageCount += 1
            var copy = delivery
            copy.lane = .message(messageCount)
            enqueue(copy, fault)
        }
    }

    private mutating func enqueue(_ delivery: Delivery, _ fault: StoreFault) {
        let delay = random.number(in: fault.delay)
        queue.enqueue(delivery, due: delay > 0 ? now + delay : nil, faults: controls.faults)
    }

    /// Keeps what a device must still hear of when it observes again.
    mutating func remember(_ delivery: Delivery) {
        switch delivery.event {
        case .transactionsUpdated(let updates):
            for id in updates.compactMap({ UInt64($0.transaction.id) })
            where !devices[delivery.device].unheard.contains(id) && history.record(of: id)?.standing == .paid {
                devices[delivery.device].unheard.append(id)
            }
        case .purchaseIntent(let intent):
            devices[delivery.device].intents.append(intent)
        default:
            break
        }
    }

    private mutating func note(_ event: StoreLogEntry.Event, of subject: String, fieldsOf reported: StoreBackendEvent) {
        log.append(
            StoreLogEntry(
                number: log.count + 1, date: now, subject: subject, event: event, fields: reported.logFields))
    }
}
