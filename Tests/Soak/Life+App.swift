import Foundation
import StoreManagerCore
import StoreSimulator

/// What the app does.
extension Life {
    /// Does what a step says. What cannot be done at this point is no matter.
    func perform(_ step: Step) async {
        if process.isDead { relaunch() }
        var random = SplitMix64(seed: UInt64(step.number))
        switch step.kind {
        case .buy: buy(&random)
        case .fetch: fetch(&random)
        case .restore: restore(&random)
        case .cancel: cancel(&random)
        case .release: release(&random)
        case .receiver: changeReceiver(&random)
        case .answer: answer(&random)
        case .retry: process.call("retry") { process.manager.retryPendingVerifications() }
        case .consume: consume(&random)
        case .settle: await settle()
        case .turn: await Task.yield()
        case .relaunch: relaunch()
        case .powercut: attempt { try loseAndRegainPower() }
        default: happen(step.kind, &random)
        }
    }

    /// Tries something that may be impossible just now.
    func attempt(_ body: () throws -> Void) {
        do { try body() } catch { tell("  in vain: \(error)") }
    }

    private func makeRequest(_ kind: SoakRequest.Kind, _ random: inout SplitMix64) -> SoakRequest {
        SoakRequest(
            kind, nextNumber(),
            random.pick([.closures, .closures, .closures, .delegate, .delegate, .awaited]) ?? .closures,
            receivesSuccess: random.chance(0.9), verifies: kind != .fetch && random.chance(0.4),
            random: SplitMix64(seed: random.next()))
    }

    // MARK: Buying

    private func buy(_ random: inout SplitMix64) {
        let request = makeRequest(.purchase, &random)
        let product =
            random.pick(Setup.products + Setup.products.prefix(1) + Setup.products.prefix(1)) ?? Setup.products[0]
        request.identifiers = [product.id]
        let isCounted = product.type == .consumable || product.type == .nonRenewable
        request.options.quantity = isCounted ? 1 + random.below(3) : 1
        if store.habits.tokenCarriage != .never, random.chance(0.7) {
            request.options.appAccountToken = Self.mark(request.number)
        }
        let answers: [StoreBuyer.Answer] = [
            .buy, .buy, .buy, .buy, .buy, .cancel, .decline(.generic(.networkError)), .ask, .interrupt, .neither,
            .hesitate,
        ]
        let answer = random.pick(answers) ?? .buy
        store.buyer.nextAnswers = [answer]
        let manager = process.manager
        let process: AppProcess = process
        process.begin(request, "buys \(request.options.quantity) \(product.id); the buyer: \(answer)") {
            switch request.style {
            case .closures:
                return manager.purchase(
                    product, options: request.options, handlers: process.handlers(of: request))
            case .delegate:
                let delegate = SoakDelegate(request, of: process)
                request.delegate = delegate
                return manager.purchase(product, options: request.options, delegate: delegate)
            case .awaited:
                request.task = Task { [weak process] in
                    do {
                        let outcome = try await manager.purchase(product, options: request.options)
                        process?.ended(outcome, request)
                    } catch is CancellationError {
                        process?.wasCancelled(request)
                    } catch {
                        process?.heard(
                            .failure(nil, (error as? StoreError) ?? .unknown(underlying: error)), by: request)
                    }
                }
                return nil
            }
        }
    }

    /// An account token that tells which request it was.
    private static func mark(_ number: Int) -> UUID? {
        UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", number))
    }

    // MARK: Fetching and restoring

    private func fetch(_ random: inout SplitMix64) {
        let request = makeRequest(.fetch, &random)
        for identifier in Setup.products.map(\.id) + ["nonsense", " coins"] where random.chance(0.4) {
            request.identifiers.append(identifier)
        }
        let manager = process.manager
        let process: AppProcess = process
        process.begin(request, "fetches \(request.identifiers)") {
            switch request.style {
            case .closures:
                return manager.fetchProducts(
                    withIdentifiers: request.identifiers,
                    handlers: ProductFetchHandlers(
                        onSuccess: { [weak process] in process?.heard(.products($0), by: request) },
                        onFailure: { [weak process] in process?.heard(.failure(nil, $0), by: request) }))
            case .delegate:
                let delegate = SoakDelegate(request, of: process)
                request.delegate = delegate
                return manager.fetchProducts(withIdentifiers: request.identifiers, delegate: delegate)
            case .awaited:
                request.task = Task { [weak process] in
                    do {
                        process?.heard(
                            .products(try await manager.products(withIdentifiers: request.identifiers)), by: request)
                    } catch is CancellationError {
                        process?.wasCancelled(request)
                    } catch {
                        process?.heard(
                            .failure(nil, (error as? StoreError) ?? .unknown(underlying: error)), by: request)
                    }
                }
                return nil
            }
        }
    }

    private func restore(_ random: inout SplitMix64) {
        let request = makeRequest(.restore, &random)
        let user = random.chance(0.2) ? "somebody" : nil
        let manager = process.manager
        let process: AppProcess = process
        process.begin(request, "restores \(user ?? "")") {
            switch request.style {
            case .closures:
                var handlers = RestoreHandlers(
                    onFailure: { [weak process] in process?.heard(.failure(nil, $0), by: request) })
                if request.receivesSuccess {
                    handlers.onSuccess = { [weak process] in process?.heard(.restored($0), by: request) }
                }
                if request.verifies { handlers.onVerify = { [weak process] in process?.asked($0, by: request) } }
                return manager.restorePurchases(ofApplicationUsername: user, handlers: handlers)
            case .delegate:
                let delegate = SoakDelegate(request, of: process)
                request.delegate = delegate
                return manager.restorePurchases(ofApplicationUsername: user, delegate: delegate)
            case .awaited:
                request.task = Task { [weak process] in
                    do {
                        let result = try await manager.restorePurchases(ofApplicationUsername: user)
                        process?.heard(.restored(result), by: request)
                    } catch is CancellationError {
                        process?.wasCancelled(request)
                    } catch {
                        process?.heard(
                            .failure(nil, (error as? StoreError) ?? .unknown(underlying: error)), by: request)
                    }
                }
                return nil
            }
        }
    }

    // MARK: What becomes of requests

    private func cancel(_ random: inout SplitMix64) {
        guard let request = random.pick(process.requests.filter(\.isOpen) + process.requests.suffix(1)) else { return }
        if let token = request.token {
            process.call("cancel \(request.name)") { process.manager.cancel(token) }
            request.isCancelled = true
        } else if let task = request.task, request.isOpen {
            // Its end is the cancellation, unless it has ended and nobody has read how.
            process.call("cancel the task of \(request.name)") { task.cancel() }
        }
    }

    private func release(_ random: inout SplitMix64) {
        guard let request = random.pick(process.requests.filter { $0.delegate != nil }) else { return }
        tell("  release the delegate of \(request.name)")
        request.isReleased = true
        request.delegate = nil
    }

    /// The default receiver comes, goes, or is another.
    private func changeReceiver(_ random: inout SplitMix64) {
        let isThere = random.chance(0.75)
        process.setReceiver(
            isThere
                ? SoakRequest(
                    .standing, nextNumber(), random.chance(0.5) ? .delegate : .closures, receivesSuccess: true,
                    verifies: random.chance(0.3), random: SplitMix64(seed: random.next())) : nil)
    }

    /// Right or wrong, late, for the second time, or about something that nobody was asked about.
    private func answer(_ random: inout SplitMix64) {
        let verdicts: [VerificationVerdict] = [
            .valid, .valid, .valid, .invalid(reason: "no"), .unableToComplete(SoakError(what: "cannot tell")),
        ]
        let verdict = random.pick(verdicts) ?? .valid
        if let transaction = random.pick(process.questions) { return process.answer(transaction, verdict) }
        let stranger = StoreTransaction(
            id: "stranger", productIdentifier: "coins", productType: .consumable, state: .purchased, purchaseDate: .now)
        if process.call("answer a stranger", { process.manager.transaction(stranger, didVerify: verdict) }) {
            fault("V05 an answer about a stranger counts")
        }
    }

    private func consume(_ random: inout SplitMix64) {
        guard setup.keepsLedger else { return }
        let quantity = 1 + random.below(3)
        let before = disk.ledger.count(of: "coins")
        let isDone = disk.use(quantity)
        tell("  consume \(quantity) of \(before): \(isDone)")
        if isDone { consumed += quantity }
        if isDone != (quantity <= before) {
            fault("S06 consuming \(quantity) of \(before) was answered with \(isDone)")
        }
        if disk.ledger.count(of: "coins") != (isDone ? before - quantity : before) {
            fault("S06 of \(before), \(disk.ledger.count(of: "coins")) are left after consuming \(quantity)")
        }
    }
}

extension AppProcess {
    /// The closures of a purchase, or of a default receiver.
    func handlers(of request: SoakRequest) -> PurchaseHandlers {
        var handlers = PurchaseHandlers(
            onFailure: { [weak self] in self?.heard(.failure($0, $1), by: request) },
            onCancel: { [weak self] in self?.heard(.cancel, by: request) },
            onDefer: { [weak self] in self?.heard(.deferral, by: request) },
            onRevoke: { [weak self] in self?.heard(.revoke($0), by: request) })
        if request.receivesSuccess {
            handlers.onSuccess = { [weak self] in self?.heard(.success($0), by: request) }
            handlers.onRestore = { [weak self] in self?.heard(.restore($0), by: request) }
        }
        if request.verifies { handlers.onVerify = { [weak self] in self?.asked([$0], by: request) } }
        return handlers
    }

    /// Somebody is the default receiver from now on, or nobody.
    func setReceiver(_ new: SoakRequest?) {
        receiver?.isReleased = true
        receiver?.delegate = nil
        receiver = new
        new?.isRegistered = true
        if let new, new.style == .delegate { new.delegate = SoakDelegate(new, of: self) }
        call("default receiver: \(new.map { "\($0.name) \($0.style)\($0.verifies ? " verifies" : "")" } ?? "none")") {
            manager.defaultDelegate = new?.delegate
            manager.defaultHandlers = new.flatMap { $0.style == .delegate ? nil : handlers(of: $0) }
        }
    }

    /// How a purchase ended that is awaited.
    func ended(_ outcome: PurchaseOutcome, _ request: SoakRequest) {
        switch outcome {
        case .purchased(let transaction): heard(.success(transaction), by: request)
        case .restored(let transaction): heard(.restore(transaction), by: request)
        case .scheduled(let transaction): heard(.scheduled(transaction), by: request)
        case .deferred(let token):
            request.token = token
            heard(.deferral, by: request)
            // Whoever waited goes away; the approval is the default receiver's.
            request.isCancelled = true
        case .cancelled: heard(.cancel, by: request)
        }
    }

    /// An awaited request ended because its task was cancelled.
    func wasCancelled(_ request: SoakRequest) { request.isCancelled = true }
}
