import Foundation
import StoreManagerCore
import TestSupport

/// What the store does.
extension Schedule {
    /// The manager tells the store something.
    func answer(_ command: ScriptedBackend.Command) -> [StoreBackendEvent] {
        note("   store: \(command.line)")
        switch command {
        case .purchase(let payment):
            guard let request = requests.first(where: { $0.token == payment.token }) ?? requests.last else { return [] }
            openPayments.append((payment, request))
            if request.verifies, request.delegate == nil { needsVerdict.insert(payment.token) }
        case .fetch(_, let token): openFetches.append(token)
        case .restore(_, let token): openListings.append(token)
        case .finish(let transaction):
            if let known = transactions.first(where: { $0.id == transaction.id }) {
                known.finishes += 1
                if let problem = known.faultInFinishing { fault("transaction \(known.id): \(problem)") }
                if known.isKnownToBeRemoved { fault("transaction \(known.id): finished though it was removed") }
            }
            if isDraining || chance(0.8) { return [.transactionFinished(transaction.id)] }
            unansweredFinishes.append(transaction.id)
        case .entitlements(let token): return [.entitlementsRead(.success([]), for: token)]
        case .refreshReceipt, .downloads: break
        }
        return []
    }

    func report(_ line: @autoclosure () -> String, _ event: StoreBackendEvent) {
        call("store says: \(line())") { backend.report(event) }
    }

    private func report(_ updates: [StoreTransactionUpdate]) {
        report(
            updates.map { "\($0.transaction.id) \($0.transaction.state) \($0.token?.description ?? "")" }.line,
            .transactionsUpdated(updates))
    }

    // MARK: Payments

    func answerPayment() {
        guard !openPayments.isEmpty else { return }
        let index = Int.random(in: 0..<openPayments.count, using: &random)
        let (payment, request) = openPayments[index]
        let number = isDraining ? 0 : Int.random(in: 0..<20, using: &random)
        if number != 13 { openPayments.remove(at: index) }
        switch number {
        case 0..<11: pay(payment, request)
        case 11, 12: deferPayment(payment, request)
        case 13: purchasing(payment)
        case 14: end(request, .cancelled, .purchaseEnded(.cancelled(), for: payment.token))
        case 15: end(request, .failed, .purchaseEnded(nil, for: payment.token))
        case 16: end(request, .failed, .purchaseEnded(.network(), for: payment.token))
        case 17: fail(payment, request, with: .productUnavailable())
        case 18: fail(payment, request, with: .cancelled())
        default:
            let plan = StoreTransaction.sample("plan", of: "other", .autoRenewable)
            end(request, .scheduled, .transactionsUpdated([StoreTransactionUpdate(plan, token: payment.token)]))
        }
    }

    private func end(_ request: ScheduledRequest, _ answer: ScheduledRequest.Answer, _ event: StoreBackendEvent) {
        request.answer = answer
        report("\(request.name) \(answer)", event)
    }

    private func fail(_ payment: StorePayment, _ request: ScheduledRequest, with error: StoreError) {
        let failed = newTransaction(of: payment.product, state: .failed, for: request)
        request.answer = error.isCancellation ? .cancelled : .failed
        let update = StoreTransactionUpdate(failed.word, token: payment.token, error: error)
        report(chance(0.3) ? [update, update] : [update])
    }

    private func pay(_ payment: StorePayment, _ request: ScheduledRequest) {
        let paid = newTransaction(of: payment.product, for: request)
        request.answer = .paid(paid)
        let update = StoreTransactionUpdate(paid.word, token: payment.token)
        report(chance(0.3) ? [update, update] : [update])
    }

    /// The store is at work on the payment; another component may take it away.
    private func purchasing(_ payment: StorePayment) {
        let id = "\(payment.token)"
        report([StoreTransactionUpdate(.sample(id, of: payment.product.id, state: .purchasing), token: payment.token)])
        guard chance(0.3), let index = openPayments.firstIndex(where: { $0.payment.token == payment.token }) else {
            return
        }
        end(openPayments.remove(at: index).request, .failed, .transactionsRemoved([id]))
    }

    private func deferPayment(_ payment: StorePayment, _ request: ScheduledRequest) {
        report("\(request.name) deferred", .purchaseDeferred(for: payment.token))
        if backend.capabilities.tokenCarriage == .unlessDeferred, request.isCancelled { return }
        deferredPayments.append((payment, request, clock.now))
    }

    func answerDeferred() {
        guard !deferredPayments.isEmpty else { return }
        let index = Int.random(in: 0..<deferredPayments.count, using: &random)
        let chosen = deferredPayments[index]
        if !isDraining, chance(0.3) {
            deferredPayments.remove(at: index)
            return end(chosen.request, .failed, .purchaseEnded(.network(), for: chosen.payment.token))
        }
        guard backend.capabilities.tokenCarriage == .unlessDeferred else {
            deferredPayments.remove(at: index)
            return pay(chosen.payment, chosen.request)
        }
        sendUnasked(of: chosen.payment.product)
    }

    // MARK: Transactions

    private func newTransaction(
        of product: StoreProduct, state: StoreTransactionState = .purchased, for request: ScheduledRequest?
    ) -> ScheduledTransaction {
        var word = StoreTransaction.sample("\(nextNumber())", of: product.id, product.type, state: state, at: clock.now)
        word.signedDate = nextDate()
        let transaction = ScheduledTransaction(word, for: request)
        if let token = request?.token, needsVerdict.contains(token) { transaction.needsVerdict = true }
        transactions.append(transaction)
        return transaction
    }

    func sendUnasked() {
        if let product = pick(Self.products) { sendUnasked(of: product) }
    }

    /// A transaction without a token. Where deferred purchases have none either it approves the oldest that waits.
    private func sendUnasked(of product: StoreProduct) {
        var request: ScheduledRequest?
        if backend.capabilities.tokenCarriage == .unlessDeferred {
            let waiting = deferredPayments.filter { $0.payment.product.id == product.id }
            if let oldest = waiting.min(by: { $0.payment.token.number < $1.payment.token.number }) {
                request = oldest.request
                deferredPayments.removeAll { $0.payment.token == oldest.payment.token }
            }
        }
        let transaction = newTransaction(of: product, for: request)
        if let request { request.answer = .paid(transaction) }
        report([StoreTransactionUpdate(transaction.word)])
    }

    /// Words that were said before, present and former ones, in any order.
    func repeatTransaction() {
        let known = transactions.filter { !$0.isRemoved }
        var updates = known.filter { _ in chance(0.5) }.flatMap { transaction in
            ([transaction.word] + transaction.formerWords.filter { _ in chance(0.3) }).map { word in
                StoreTransactionUpdate(word, token: chance(0.5) ? transaction.request?.token : nil, error: .unknown())
            }
        }
        updates.shuffle(using: &random)
        if !updates.isEmpty { report(updates) }
    }

    /// A refund, or its reversal.
    func turnTransaction() {
        guard let transaction = pick(transactions.filter { !$0.isFailed && !$0.isRemoved }) else { return }
        transaction.turn(at: nextDate())
        report([StoreTransactionUpdate(transaction.word)])
    }

    func removeTransaction() {
        guard let transaction = pick(transactions.filter { !$0.isRemoved && $0.finishes == 0 }) else { return }
        transaction.isRemoved = true
        report("\(transaction.id) removed", .transactionsRemoved([transaction.id]))
    }

    func finishLate() {
        guard let id = unansweredFinishes.popLast() else { return }
        report("\(id) finished", .transactionFinished(id))
    }

    // MARK: Restores and fetches

    func continueListing() {
        guard let token = pick(openListings) else { return }
        if !isDraining, chance(0.6) { return list(for: token) }
        openListings.removeAll { $0 == token }
        let isFailing = !isDraining && chance(0.2)
        report("\(token) listed", isFailing ? .restoreFailed(.network(), for: token) : .restoreFinished(for: token))
    }

    private func list(for token: RequestToken) {
        var owned = transactions.filter { !$0.isFailed && !$0.isRevoked && !$0.isRemoved && chance(0.4) }
        if chance(0.5), let product = pick(Self.products) {
            owned.append(newTransaction(of: product, state: .restored, for: nil))
        }
        for transaction in owned { transaction.list() }
        if !owned.isEmpty {
            report(owned.map { StoreTransactionUpdate($0.word.with(\.state, .restored), token: token) })
        }
    }

    func answerFetch() {
        guard let token = pick(openFetches) else { return }
        openFetches.removeAll { $0 == token }
        if !isDraining, chance(0.2) { return report("\(token) failed", .productFetchFailed(.network(), for: token)) }
        report("\(token) fetched", .productsFetched(Self.products.filter { _ in chance(0.8) }, for: token))
    }

    func changeStorefront() {
        report("storefront", .storefrontChanged(StoreStorefront(id: "1", countryCode: chance(0.5) ? "FRA" : "USA")))
    }
}
