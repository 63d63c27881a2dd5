import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Takes a payment and asks its buyer.
    mutating func pay(_ request: PaymentRequest, for token: RequestToken, from device: Int) {
        note(
            .payment, .device(device), .product(request.productIdentifier), .quantity(request.quantity),
            request.offer.map { .init("offer", $0.name) }, .token(token))
        guard let product = catalogue.position(of: request.productIdentifier) else {
            let unknown = StoreError.unknownProduct(identifier: request.productIdentifier)
            let error =
                controls.faults[.purchase].isOffline ? StoreAPIFailure.generic(.networkError).storeError : unknown
            return answer(token, of: device, on: .purchase, .purchaseEnded(error, for: token))
        }
        let account = devices[device].account
        let id = open(request, for: product, account: account)
        if devices[device].app == nil { devices[device].app = Device.App() }
        devices[device].app?.payments[id] = OpenPayment(token: token, request: request)
        if controls.habits.tokenCarriage != .unlessDeferred { announce(id, answering: id) }
        if let obstacle = obstacleForApp ?? obstacle(to: request, for: product, account: account) {
            fail(id, with: obstacle)
        } else {
            answerSheet(id, with: nextAnswer(to: request, of: account), from: device)
        }
    }

    /// Does what the buyer said.
    mutating func answerSheet(_ id: UInt64, with answer: StoreBuyer.Answer, from device: Int) {
        switch answer {
        case .buy: complete(id)
        case .cancel: fail(id, with: .generic(.userCancelled))
        case .decline(let failure): fail(id, with: failure)
        case .ask: wait(id, as: .deferred)
        case .interrupt: wait(id, as: .interrupted)
        case .neither: endWithNothing(id, from: device)
        case .hesitate: note(.hesitated, .device(device), .transaction(id))
        }
    }

    /// Lets a payment fail, for good.
    mutating func fail(_ id: UInt64, with failure: StoreAPIFailure) {
        history.update(at: history.position(of: id)) { record in
            record.standing = .failed
            record.withDetails { $0.failure = failure }
        }
        note(.failed, .owner(id), .transaction(id), .reason(failure))
        tellFailure(id)
    }

    /// Makes a record of a payment that is not paid yet.
    mutating func open(_ request: PaymentRequest, for product: Int, account: Int) -> UInt64 {
        let isSubscription = catalogue[product].type == .autoRenewable
        let id = history.reserve(isSubscription ? History.idsPerRun : 1)
        var record = PurchaseRecord(
            firstID: id, account: Int32(account), terms: purchaseTerms(of: request, for: product, account: account),
            originalID: id, originalDate: now, anchor: now, standing: .open)
        if request.appAccountToken != nil || request.applicationUsername != nil {
            record.withDetails {
                $0.appAccountToken = request.appAccountToken
                $0.applicationUsername = request.applicationUsername
            }
        }
        _ = enter(record)
        return id
    }

    /// What the buyer, or a switch in his place, answers.
    private mutating func nextAnswer(to request: PaymentRequest, of account: Int) -> StoreBuyer.Answer {
        if controls.failTransactionsEnabled { return .decline(controls.failureError) }
        if controls.interruptedPurchasesEnabled { return .interrupt }
        if controls.askToBuyEnabled || request.asksToBuy { return .ask }
        if controls.disableDialogs { return .buy }
        return accounts[account].buyer.answer()
    }

    /// Leaves a payment waiting for somebody.
    private mutating func wait(_ id: UInt64, as standing: PurchaseRecord.Standing) {
        history.update(at: history.position(of: id)) { $0.standing = standing }
        note(standing == .deferred ? .deferred : .interrupted, .owner(id), .transaction(id))
        if controls.habits.tokenCarriage == .unlessDeferred {
            for device in devices.indices {
                guard let open = devices[device].app?.payments[id] else { continue }
                devices[device].app?.payments[id]?.wasDeferred = true
                answer(open.token, of: device, on: .purchase, .purchaseDeferred(for: open.token))
            }
        } else {
            announce(id, answering: id)
        }
    }

    /// Tells the app that a payment failed, with a transaction or, where the store makes none of it, without.
    private mutating func tellFailure(_ id: UInt64) {
        if controls.habits.tokenCarriage != .unlessDeferred { return announce(id, answering: id) }
        for device in devices.indices {
            guard let open = devices[device].app?.payments.removeValue(forKey: id), !open.wasDeferred else { continue }
            let error = failure(of: id).storeError
            answer(open.token, of: device, on: .purchase, .purchaseEnded(error, for: open.token))
        }
    }

    private mutating func endWithNothing(_ id: UInt64, from device: Int) {
        strike(id)
        guard let open = devices[device].app?.payments.removeValue(forKey: id) else { return }
        answer(open.token, of: device, on: .purchase, .purchaseEnded(nil, for: open.token))
    }
}

extension RequestedOffer {
    /// The offer's name for the log.
    var name: String {
        switch self {
        case .promotional(let id, _, _, _, _), .promotionalJWS(let id, _), .winBack(let id), .unsigned(let id): id
        case .introductoryEligibility: "introductory"
        case .code(let name): name
        }
    }
}
