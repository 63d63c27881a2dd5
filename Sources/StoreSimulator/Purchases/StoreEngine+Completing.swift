import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Charges for a payment; returns the transaction that answers it.
    @discardableResult
    mutating func complete(_ payment: UInt64) -> UInt64 {
        guard let place = history.position(of: payment) else { return payment }
        let record = history.records[place]
        let product = termsTable[record.terms].product
        let account = Int(record.account)
        switch catalogue[product].type {
        case .nonConsumable:
            if let owned = ownedTransaction(of: product, account: account) {
                return answer(payment, withHeld: owned, as: .restored)
            }
        case .consumable where controls.habits.repeatsUnfinishedConsumables:
            if let owned = ownedTransaction(of: product, account: account),
                history.record(of: owned)?.finished.contains(0) == false
            {
                return answer(payment, withHeld: owned, as: .purchased)
            }
        case .autoRenewable:
            return subscribe(payment, to: product, account: account)
        case .consumable, .nonRenewable, .unknown:
            break
        }
        markPaid(payment)
        announce(payment, answering: payment)
        emit(.oneTimeCharge, nil, of: payment)
        shareWithFamily(payment)
        return payment
    }

    /// Writes a payment down as paid, now.
    mutating func markPaid(_ payment: UInt64) {
        let now = now
        history.update(at: history.position(of: payment)) { record in
            record.standing = .paid
            record.anchor = now
            if record.originalID == record.firstID { record.originalDate = now }
        }
        guard let transaction = transaction(payment) else { return }
        note(
            .paid, .owner(payment), .product(transaction.productIdentifier), .transaction(payment),
            .quantity(transaction.quantity), transaction.price.map { .init("price", "\($0)") },
            transaction.currencyCode.map { .init("currency", $0) })
    }

    /// Answers a payment with something that the account holds already; nothing is charged.
    mutating func answer(_ payment: UInt64, withHeld held: UInt64, as state: StoreTransactionState) -> UInt64 {
        note(.alreadyHeld, .owner(payment), .transaction(held), .init("payment", String(payment)))
        for device in devices.indices where devices[device].app?.payments[payment] != nil {
            answerPayment(payment, of: device, with: held, in: state)
        }
        strike(payment)
        return held
    }

    /// The terms on which a payment is made.
    mutating func purchaseTerms(of request: PaymentRequest, for product: Int, account: Int) -> Int32 {
        if catalogue[product].type == .autoRenewable {
            return subscriptionTerms(of: request, for: product, account: account)
        }
        let price = (catalogue[product].price ?? 0) * Decimal(request.quantity)
        return termsTable.number(
            of: Terms(
                product: product, quantity: request.quantity, price: price, storefront: controls.storefront,
                currency: Catalogue.currency(of: controls.storefront)))
    }
}
