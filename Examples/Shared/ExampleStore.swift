import Foundation
import StoreKitManager
public import StoreManagerCore
public import StoreSimulator

extension Option {
    /// Whether to buy by the shared manager, as an app does, instead of one over a simulated store.
    public static let shared = Option(
        "--shared",
        help: "buy by StoreManager.shared: in the App Store, or where there is none in the double of StoreKit")
}

/// The store that an example buys in, and whoever is asked to pay there.
@MainActor
public struct ExampleStore {
    /// What is sold.
    public let configuration: StoreConfiguration
    /// The manager over it.
    public let manager: StoreManager
    /// The simulated store behind it; nil where it is Apple's, and a person is asked instead of a script.
    private let simulated: SimulatedStore?

    /// A simulated store with a manager of its own.
    init(selling configuration: StoreConfiguration) {
        let store = SimulatedStore(configuration: configuration)
        self.configuration = configuration
        manager = StoreManager(backend: store, clock: store.clock)
        simulated = store
    }

    /// The store of the shared manager.
    init(sharedSelling configuration: StoreConfiguration) {
        self.configuration = configuration
        simulated = Self.storeBehindStoreKit(selling: configuration)
        manager = .shared
    }

    /// Decides what is answered when the store asks whether to pay, the next times.
    public func answer(_ answers: StoreBuyer.Answer...) {
        if let simulated { simulated.buyer.nextAnswers = answers } else { print("   (please answer: \(answers))") }
    }

    /// Has the family approve all that waits for it.
    public func approve() {
        guard let simulated else { return print("   (please approve it)") }
        // It is bought when it is approved, and by the clock of the manager that is after it was asked for.
        if manager === StoreManager.shared { simulated.clock.advance(to: .now) }
        for waiting in simulated.allTransactions where waiting.state == .deferred {
            try? simulated.approveAskToBuyTransaction(identifier: waiting.id)
        }
    }
}

extension Command {
    /// The store to buy in, as the arguments say.
    @MainActor
    public func store(_ arguments: Arguments) -> ExampleStore {
        let configuration = configuration(arguments)
        return arguments.has(Option.shared.name)
            ? ExampleStore(sharedSelling: configuration) : ExampleStore(selling: configuration)
    }
}
