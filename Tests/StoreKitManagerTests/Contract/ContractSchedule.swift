import Dispatch
@_spi(StoreKitDouble) import StoreKit
import StoreManagerCore
import StoreSimulator

/// What happens by chance to an app over one of Apple's StoreKits, and what must come of it: every request is answered once,
/// everything that was paid is delivered once and finished.
@MainActor
final class ContractSchedule {
    /// What was asked of the manager, and how that ended.
    private final class Request {
        let name: String
        var token: RequestToken?
        var endings: [String] = []
        var isCancelled = false
        /// Whether it may wait for ever: an approval of what is owned meanwhile is not told.
        var mayWait = false
        init(name: String) { self.name = name }
    }

    private let shop: ContractShop
    private var random: SplitMix64
    private let repeatsItself: Bool
    private var requests: [Request] = []
    private var deliveries: [StoreTransaction.ID: Int] = [:]
    /// What was wrong.
    private(set) var faults: [String] = []

    init(in world: StoreWorld, seed: UInt64) {
        random = SplitMix64(seed: seed)
        shop = ContractShop(in: world)
        repeatsItself = Bool.random(using: &random)
        if repeatsItself {
            shop.store.faults[.updates].duplication = 0.4
            shop.store.faults[.purchase].duplication = 0.4
        }
        shop.manager.defaultHandlers = PurchaseHandlers(
            onSuccess: { [weak self] in self?.deliver($0) }, onRestore: { _ in })
    }

    /// Runs the schedule to its end.
    func run() async {
        await shop.stock()
        for _ in 1...Int.random(in: 10...40, using: &random) {
            await step()
            if Int.random(in: 0..<3, using: &random) == 0 { await settle() }
        }
        await drain()
        check()
    }

    // MARK: What happens

    private func step() async {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3: buy()
        case 4: fetch()
        case 5: restore()
        case 6: cancel()
        case 7, 8: answerSomething()
        case 9: _ = try? shop.store.buyProduct(identifier: "coins")
        case 10: approveSomething()
        default: await shop.pass(Double.random(in: 0...20, using: &random))
        }
    }

    private func buy() {
        let answers: [StoreBuyer.Answer] = [
            .buy, .buy, .buy, .cancel, .decline(.generic(.unknown)), .ask, .hesitate, .interrupt, .neither,
        ]
        shop.store.buyer.nextAnswers.append(answers.randomElement(using: &random) ?? .buy)
        let product = ["coins", "coins", "gems", "theme"].randomElement(using: &random) ?? "coins"
        let request = newRequest("buy \(product)")
        request.token = shop.manager.purchaseProduct(
            withIdentifier: product,
            onSuccess: { [weak self] in
                self?.deliver($0)
                self?.end(request, "success \($0.id)")
            },
            onRestore: { [weak self] in self?.end(request, "restore \($0.id)") },
            onFailure: { [weak self] in self?.end(request, "failure \($0?.id ?? "-") \($1)") },
            onCancel: { [weak self] in self?.end(request, "cancel") },
            onDefer: { request.mayWait = product == "theme" })
        if request.token == nil { faults.append("\(request.name) was not started") }
    }

    private func fetch() {
        let request = newRequest("fetch")
        let identifiers = ["coins", "gems", "theme", "nonsense"].shuffled(using: &random).prefix(2)
        request.token = shop.manager.fetchProducts(
            withIdentifiers: identifiers,
            onSuccess: { [weak self] products, invalid in self?.end(request, "\(products.count) \(invalid.count)") },
            onFailure: { [weak self] in self?.end(request, "failure \($0)") })
    }

    private func restore() {
        let request = newRequest("restore")
        request.token = shop.manager.restorePurchases(
            onSuccess: { [weak self] in self?.end(request, "restored \($0.restored.count)") },
            onFailure: { [weak self] in self?.end(request, "failure \($0)") })
    }

    private func cancel() {
        guard let request = requests.randomElement(using: &random), let token = request.token else { return }
        shop.manager.cancel(token)
        request.isCancelled = true
    }

    private func answerSomething() {
        guard let id = shop.waiting().randomElement(using: &random) else { return }
        let answer: StoreBuyer.Answer = Bool.random(using: &random) ? .buy : .cancel
        try? shop.store.answerOpenPayment(identifier: id, with: answer)
    }

    private func approveSomething() {
        if let id = shop.waiting(.deferred).randomElement(using: &random) {
            try? shop.store.approveAskToBuyTransaction(identifier: id)
        }
        if let issue = shop.store.allTransactions.filter(\.hasPurchaseIssue).randomElement(using: &random) {
            try? shop.store.resolveIssueForTransaction(identifier: issue.id)
        }
    }

    /// Waits until nothing happens any more, and has StoreKit 1 call back elsewhere from now on.
    private func settle() async {
        await shop.settle()
        let queues = [.main, DispatchQueue(label: "callbacks"), DispatchQueue(label: "callbacks", qos: .background)]
        StoreKitDouble.callbackQueue = queues.randomElement(using: &random) ?? .main
    }

    // MARK: What must come of it

    /// In the end all is bought that waits for anybody.
    private func drain() async {
        repeat {
            await settle()
            for id in shop.waiting() { try? shop.store.answerOpenPayment(identifier: id, with: .buy) }
            approveSomething()
            await shop.pass(15)
        } while !shop.waiting().isEmpty || !shop.waiting(.deferred).isEmpty
            || shop.store.allTransactions.contains(where: \.hasPurchaseIssue)
        StoreKitDouble.callbackQueue = .main
    }

    private func check() {
        for request in requests where !request.isCancelled && request.endings.count != 1 {
            if request.mayWait, request.endings.isEmpty { continue }
            faults.append("\(request.name) ended with \(request.endings)")
        }
        if !shop.unfinished.isEmpty { faults.append("unfinished: \(shop.unfinished)") }
        let finishes = shop.requests(.finish).compactMap { $0["transaction"] }
        for id in shop.sold("coins") + shop.sold("gems") {
            if deliveries[id] != 1 { faults.append("\(id) was delivered \(deliveries[id] ?? 0) times") }
            let count = finishes.filter { $0 == id }.count
            if count == 0 || count > 1 && !repeatsItself { faults.append("\(id) was finished \(count) times") }
        }
        for id in shop.sold("theme") where (deliveries[id] ?? 0) > 1 { faults.append("\(id) was delivered again") }
    }

    private func newRequest(_ name: String) -> Request {
        let request = Request(name: "\(name) \(requests.count + 1)")
        requests.append(request)
        return request
    }

    private func end(_ request: Request, _ ending: String) {
        if request.isCancelled, request.endings.isEmpty { faults.append("\(request.name) was cancelled: \(ending)") }
        request.endings.append(ending)
    }

    private func deliver(_ transaction: StoreTransaction) { deliveries[transaction.id, default: 0] += 1 }
}
