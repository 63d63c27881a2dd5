import Foundation
import StoreManagerCore
import StoreSimulator

/// How a purchase ended for the app, or that it waits for approval.
private enum Ending {
    case delivered, deferred, cancelled
    case failed(StoreError)
}

extension Shop {
    /// Buys, as a person at the till does. What comes of it is told by the events.
    func buy(_ word: String, quantity: Int = 1, offer: String? = nil) async throws {
        let product = try storeProduct(word)
        var options = PurchaseOptions(quantity: quantity)
        if let offer {
            guard let asked = try purchaseOffer(offer, of: product) else { return }
            options.offer = asked
        }
        try check(await purchase(product, options), of: product)
    }

    /// Begins to buy, with the buyer's answer to the store's question.
    func buy(_ word: String, answering answer: StoreBuyer.Answer) async throws {
        let product = try storeProduct(word)
        if store.disableDialogs { throw ShopError("this store asks its buyers nothing; right would be buy \(word)") }
        store.buyer.nextAnswers = [answer]
        let ending = await purchase(product)
        store.buyer.nextAnswers = []
        switch (answer, ending) {
        case (.cancel, .cancelled), (.ask, .deferred), (.interrupt, .failed), (_, nil): break
        case (_, .failed(let error)): throw ShopError("\"\(product.id)\": \(error.localizedDescription)")
        default: throw ShopError("\"\(product.id)\" ended at once, without the buyer being asked")
        }
    }

    /// Buys, and waits as long as anything happens without time passing, or lets time pass until it ends, for an hour at most.
    /// Nil: there is no answer yet.
    private func purchase(
        _ product: StoreProduct, _ options: PurchaseOptions = PurchaseOptions(), lettingTimePass: Bool = false
    ) async -> Ending? {
        var ending: Ending?
        manager.purchase(
            product, options: options, onSuccess: { _ in ending = .delivered },
            onFailure: { _, error in ending = .failed(error) }, onCancel: { ending = .cancelled },
            onDefer: { ending = .deferred })
        await settle()
        let end = store.clock.now.addingTimeInterval(3600)
        while lettingTimePass, ending == nil, let due = store.nextDueDate, due < end {
            store.clock.advance(to: due)
            await settle()
        }
        return ending
    }

    /// Says what kept a product from being bought.
    private func check(_ ending: Ending?, of product: StoreProduct) throws {
        switch ending {
        case .delivered, .deferred: break
        case .failed(let error): throw ShopError("\"\(product.id)\" was not bought: \(error.localizedDescription)")
        case .cancelled: throw ShopError("\"\(product.id)\" was not bought: the buyer said no")
        case nil: throw ShopError("the store has not answered yet; advance may bring its answer")
        }
    }

    /// How an offer is asked for. Nil: it is a code, and was redeemed in the store's own sheet.
    private func purchaseOffer(_ id: String, of product: StoreProduct) throws -> PurchaseOffer? {
        let terms = try self.product(product.id).subscription
        if terms?.promotionalOffers.contains(where: { $0.id == id }) == true {
            // This store has no signer and so trusts every signature; an app's server makes a real one.
            return .promotional(
                PromotionalOfferSignature(
                    offerID: id, keyID: "TESTKEY", nonce: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
                    signature: Data("unsigned".utf8).base64EncodedString(),
                    timestamp: Int(store.clock.now.timeIntervalSince1970 * 1000)))
        }
        if terms?.winBackOffers.contains(where: { $0.id == id }) == true { return .winBack(offerID: id) }
        if terms?.codeOffers.contains(where: { $0.referenceName == id }) == true {
            try store.redeemOfferCode(referenceName: id, productIdentifier: product.id)
            return nil
        }
        let offers =
            (terms?.promotionalOffers ?? []).compactMap(\.id) + (terms?.winBackOffers ?? []).compactMap(\.id)
            + (terms?.codeOffers ?? []).compactMap(\.referenceName)
        let right = offers.isEmpty ? "no offer at all" : "one of \(offers.joined(separator: ", "))"
        throw ShopError("\"\(product.id)\" has no offer \"\(id)\"; right would be \(right)")
    }

    /// The purchase that has waited longest for approval.
    func waiting() throws -> SimulatedTransaction {
        guard let waiting = store.allTransactions.first(where: \.pendingAskToBuyConfirmation) else {
            throw ShopError("nobody waits for approval; right would be ask PRODUCT before")
        }
        return waiting
    }

    /// The oldest purchase or renewal that something keeps from being paid.
    func unsettled() throws -> SimulatedTransaction {
        guard let unsettled = store.allTransactions.first(where: \.hasPurchaseIssue) else {
            throw ShopError("there is nothing to resolve; right would be interrupt PRODUCT before")
        }
        return unsettled
    }

    /// The oldest transaction that money was paid for, and that was not given back.
    func refundable() throws -> SimulatedTransaction {
        let refundable = store.allTransactions.first {
            ($0.state == .purchased || $0.state == .restored) && $0.revocationDate == nil && $0.price != 0
        }
        guard let refundable else {
            throw ShopError("nothing was bought that could be given back; right would be buy PRODUCT before")
        }
        return refundable
    }

    /// Switches the renewal of a subscription on or off.
    func setAutoRenew(_ isOn: Bool, _ word: String) throws {
        let latest = try subscription(word)
        if isOn {
            try store.enableAutoRenewForTransaction(identifier: latest.id)
        } else {
            try store.disableAutoRenewForTransaction(identifier: latest.id)
        }
        let product = latest.productIdentifier
        output.say("\(product) \(isOn ? "will renew" : "ends with its period").")
        output.emit(isOn ? .autorenewOn : .autorenewOff, at: store.clock.now, [.product: product])
    }

    /// Buys a product with content that the store hosts, and lets time pass until it has arrived.
    func download(_ word: String) async throws {
        let product = try storeProduct(word)
        store.hostedContent[product.id] = [HostedContent(id: "\(product.id).content")]
        defer { store.hostedContent[product.id] = nil }
        try check(await purchase(product, lettingTimePass: true), of: product)
    }

    /// Uses one piece up.
    func consume(_ word: String) async throws {
        let product = try product(word)
        guard try await ledger.withLedger({ $0.consume(product.id) }) else {
            throw ShopError("there is no \"\(product.id)\" left to use up; right would be buy \(product.id) before")
        }
        let left = try await ledger.withLedger { $0.count(of: product.id) }
        output.say("Used one \(product.id), \(left) left.")
        output.emit(.consumed, at: store.clock.now, [.product: product.id, .count: left])
    }
}
