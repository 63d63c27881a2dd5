import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport

/// An app in one of the worlds: a manager, the store behind it whatever lies between, and a recorder that hears what the
/// handlers are told. Time stands still unless ``pass(_:)`` moves it.
@MainActor
final class ContractShop {
    let world: StoreWorld
    let store: SimulatedStore
    let recorder = Recorder()
    private let finishing: StoreManager.FinishingPolicy
    private var access: StoreAccess
    private(set) var manager: StoreManager

    /// Opens an app whose cache has all products, with default handlers that are recorded as `default`.
    ///
    /// - Parameter gaps: What the test needs of a world; it is skipped where one is missing.
    static func open(
        in world: StoreWorld, needing gaps: StoreGap..., selling configuration: StoreConfiguration = .contract,
        finishing: StoreManager.FinishingPolicy = .automatic
    ) async throws -> ContractShop {
        for gap in gaps { try gap.skip(in: world) }
        let shop = ContractShop(in: world, selling: configuration, finishing: finishing)
        shop.manager.defaultHandlers = shop.handlers("default")
        await shop.stock()
        return shop
    }

    /// An app that has asked for nothing yet, and has no default receiver.
    init(
        in world: StoreWorld, selling configuration: StoreConfiguration = .contract,
        finishing: StoreManager.FinishingPolicy = .automatic
    ) {
        self.world = world
        self.finishing = finishing
        let store = SimulatedStore(configuration: configuration)
        self.store = store
        access = StoreAccess(to: store, in: world)
        manager = StoreManager(backend: access.backend, clock: store.clock, finishing: finishing)
    }

    // MARK: What goes on

    /// The app's process ends, and the next one begins, with no default receiver and an empty cache.
    func relaunch(with persistence: (any TransactionPersistence)? = nil) async {
        await settle()
        access = access.relaunched()
        manager = StoreManager(backend: access.backend, clock: store.clock, finishing: finishing)
        manager.persistence = persistence
        recorder.clear()
        await settle()
    }

    /// Returns when nothing happens any more as long as the clock stands.
    func settle() async {
        manager.startObserving()
        var before: [Int]
        repeat {
            before = progress
            await access.settle()
            await manager.settle()
        } while progress != before
    }

    /// Lets so many seconds pass, and returns when nothing happens any more.
    func pass(_ seconds: TimeInterval) async {
        await settle()
        store.clock.advance(by: seconds)
        await settle()
    }

    private var progress: [Int] { [store.log.count, recorder.lines.count] }

    // MARK: What the app does

    /// Fetches all that is sold, so that it can be bought by its identifier.
    func stock() async {
        manager.fetchProducts(withIdentifiers: store.configuration.products.map(\.id))
        await settle()
    }

    /// Begins to buy; what becomes of it is recorded under a name.
    @discardableResult
    func buy(
        _ product: String = "coins", as name: String, _ options: PurchaseOptions = PurchaseOptions(),
        verifies: Bool = false
    ) -> RequestToken? {
        manager.purchaseProduct(
            withIdentifier: product, options: options, handlers: handlers(name, verifies: verifies))
    }

    /// Buys what must go through, with nothing recorded, and waits until it is finished.
    func own(_ product: String) async {
        manager.purchaseProduct(withIdentifier: product, onSuccess: { _ in })
        await settle()
    }

    /// Begins to restore; what becomes of it is recorded under a name.
    @discardableResult
    func restore(as name: String, user: String? = nil, verifies: Bool = false) -> RequestToken {
        manager.restorePurchases(ofApplicationUsername: user, handlers: restoreHandlers(name, verifies: verifies))
    }

    /// Closures that record as ``Recorder/purchaseHandlers(_:verifies:)`` says.
    func handlers(_ name: String, verifies: Bool = false) -> PurchaseHandlers {
        recorder.purchaseHandlers(name, verifies: verifies)
    }

    /// Closures that record by product, as restored copies have identifiers of their own: `a restored [theme] invalid [levels
    /// verificationFailed] undecided []`, `a verify [theme]`, `a failure cancelled`.
    func restoreHandlers(_ name: String, verifies: Bool = false) -> RestoreHandlers {
        var handlers = recorder.restoreHandlers(name)
        handlers.onSuccess = { [recorder] result in
            let refused = [result.invalid, result.undecided].map { refusals in
                refusals.map { "\($0.transaction.productIdentifier) \($0.error.name)" }.sorted().line
            }
            let restored = result.restored.map(\.productIdentifier).sorted().line
            recorder.record("\(name) restored \(restored) invalid \(refused[0]) undecided \(refused[1])")
        }
        if verifies {
            handlers.onVerify = { [recorder] in
                recorder.record("\(name) verify \($0.map(\.productIdentifier).sorted().line)")
            }
        }
        return handlers
    }

    // MARK: What can be seen

    /// What was recorded. Failures are told without their transaction: not every store has one.
    var lines: [String] { recorder.lines.map { $0.replacing(#/ failure \S+ (?=\S)/#, with: " failure ") } }

    /// What one request was told.
    func lines(of name: String) -> [String] { lines.filter { $0.hasPrefix(name + " ") } }

    /// What the store was asked for, in its own words.
    func requests(_ event: StoreLogEntry.Event) -> [StoreLogEntry] { store.log.filter { $0.event == event } }

    /// The products whose transactions the app has not finished.
    var unfinished: [String] { store.unfinishedTransactions.map(\.productIdentifier) }

    /// The identifiers of what was sold of a product, the oldest first.
    func sold(_ product: String = "coins") -> [StoreTransaction.ID] {
        store.allTransactions.filter { $0.productIdentifier == product && $0.state == .purchased }.map(\.id)
    }

    /// The identifiers of what waits: for the buyer, for approval, or for something to be resolved.
    func waiting(_ state: StoreTransactionState = .purchasing) -> [StoreTransaction.ID] {
        store.allTransactions.filter { $0.state == state }.map(\.id)
    }
}
