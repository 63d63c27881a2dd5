import Foundation
import StoreManagerCore
import TestSupport

/// What the app does.
extension Schedule {
    /// What may happen, each as often as its weight says.
    private static let steps: [(weight: Int, step: @MainActor (Schedule) -> Void)] = [
        (10, { $0.buy() }), (5, { $0.fetch() }), (6, { $0.restore() }), (5, { $0.cancelSomething() }),
        (3, { $0.releaseDelegate() }), (5, { $0.changeStanding() }), (10, { $0.answerSomebody() }),
        (4, { $0.passTime() }), (2, { $0.retry() }),
        (14, { $0.answerPayment() }), (4, { $0.answerDeferred() }), (6, { $0.repeatTransaction() }),
        (4, { $0.sendUnasked() }), (4, { $0.turnTransaction() }), (3, { $0.removeTransaction() }),
        (8, { $0.continueListing() }), (5, { $0.answerFetch() }), (1, { $0.changeStorefront() }),
        (3, { $0.finishLate() }),
    ]
    private static let totalWeight = steps.reduce(0) { $0 + $1.weight }

    /// One thing happens.
    func step() {
        var number = Int.random(in: 0..<Self.totalWeight, using: &random)
        for (weight, step) in Self.steps {
            number -= weight
            if number < 0 { return step(self) }
        }
    }

    static let products = [
        StoreProduct.sample("coins"), .sample("pro", .autoRenewable), .sample("ads", .nonConsumable),
    ]

    private func makeRequest(_ kind: ScheduledRequest.Kind) -> ScheduledRequest {
        let request = ScheduledRequest(
            kind, nextNumber(), receivesSuccess: chance(0.9), verifies: kind != .fetch && chance(0.5))
        requests.append(request)
        if request.receivesSuccess, chance(0.3) { request.delegate = ScheduledDelegate(request, of: self) }
        return request
    }

    private func buy() {
        guard requests.count < 16, let product = pick(Self.products) else { return }
        let request = makeRequest(.purchase)
        request.product = product
        request.token = call("\(request.name) buys \(product.id)") {
            if let delegate = request.delegate { return manager.purchase(product, delegate: delegate) }
            return manager.purchase(product, handlers: handlers(of: request))
        }
    }

    func handlers(of request: ScheduledRequest) -> PurchaseHandlers {
        var handlers = PurchaseHandlers(
            onFailure: { [unowned self] in heard(.failure($0, $1), by: request) },
            onCancel: { [unowned self] in heard(.cancel, by: request) },
            onDefer: { [unowned self] in heard(.deferral, by: request) },
            onRevoke: { [unowned self] in heard(.revoke($0), by: request) })
        if request.receivesSuccess {
            handlers.onSuccess = { [unowned self] in heard(.success($0), by: request) }
            handlers.onRestore = { [unowned self] in heard(.restore($0), by: request) }
        }
        if request.verifies { handlers.onVerify = { [unowned self] in asked([$0], by: request) } }
        return handlers
    }

    private func fetch() {
        guard requests.count < 16 else { return }
        let request = makeRequest(.fetch)
        let identifiers = ["coins", "pro", "ads", "nonsense"].filter { _ in chance(0.5) }
        request.token = call("\(request.name) fetches \(identifiers.line)") {
            if let delegate = request.delegate {
                return manager.fetchProducts(withIdentifiers: identifiers, delegate: delegate)
            }
            return manager.fetchProducts(
                withIdentifiers: identifiers,
                handlers: ProductFetchHandlers(
                    onSuccess: { [unowned self] _ in heard(.products, by: request) },
                    onFailure: { [unowned self] in heard(.failure(nil, $0), by: request) }))
        }
    }

    private func restore() {
        guard requests.count < 16 else { return }
        let request = makeRequest(.restore)
        let username = chance(0.2) ? "somebody" : nil
        request.token = call("\(request.name) restores \(username ?? "")") {
            if let delegate = request.delegate {
                return manager.restorePurchases(ofApplicationUsername: username, delegate: delegate)
            }
            var handlers = RestoreHandlers(onFailure: { [unowned self] in heard(.failure(nil, $0), by: request) })
            if request.receivesSuccess { handlers.onSuccess = { [unowned self] in heard(.restored($0), by: request) } }
            if request.verifies { handlers.onVerify = { [unowned self] in asked($0, by: request) } }
            return manager.restorePurchases(ofApplicationUsername: username, handlers: handlers)
        }
    }

    private func cancelSomething() {
        guard let request = pick(requests), let token = request.token else { return }
        call("cancel \(request.name)") { manager.cancel(token) }
        request.isCancelled = true
        // A deferred purchase without an identifier is forgotten: its approval is like any other transaction.
        guard backend.capabilities.tokenCarriage == .unlessDeferred else { return }
        deferredPayments.removeAll { $0.request === request }
        for transaction in transactions where transaction.request === request { transaction.forgetRequest() }
    }

    private func releaseDelegate() {
        guard let request = pick(requests.filter { $0.delegate != nil }) else { return }
        note("release \(request.name)")
        request.isReleased = true
        request.delegate = nil
    }

    /// The default receiver comes, goes, or is another.
    private func changeStanding() {
        standing?.isReleased = true
        standing?.delegate = nil
        let request = chance(0.7) ? ScheduledRequest(.standing, nextNumber(), verifies: chance(0.3)) : nil
        standing = request
        setStanding(asDelegate: chance(0.5))
    }

    func setStanding(asDelegate: Bool) {
        if let standing, asDelegate { standing.delegate = ScheduledDelegate(standing, of: self) }
        call("default receiver \(standing?.name ?? "none")") {
            manager.defaultDelegate = standing?.delegate
            manager.defaultHandlers = asDelegate ? nil : standing.map(handlers)
        }
    }

    /// Right or wrong, late, for the second time, or about something that nobody was asked about.
    private func answerSomebody() {
        if let transaction = pick(transactions) { return answer(transaction, randomVerdict()) }
        if call("answer a stranger", { manager.transaction(.sample("stranger"), didVerify: true) }) {
            fault("an answer about a stranger counts")
        }
    }

    private func passTime() {
        let seconds: Double = pick([1, 5, 15, 31, 61, 400]) ?? 1
        call("\(seconds) s pass") { clock.advance(by: seconds) }
    }

    func retry() { call("retry") { manager.retryPendingVerifications() } }
}
