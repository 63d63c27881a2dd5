import StoreManagerCore
import TestSupport
import Testing

/// The three ways to ask for products. All record the same lines: `a products [coins] invalid []`, `a failure network`.
enum FetchStyle: String, CaseIterable, Sendable {
    case closures
    case delegate
    case async
}

/// A fetch that a test has begun.
@MainActor
struct BegunFetch {
    /// The token; the async form has none to show.
    var token: RequestToken?
    fileprivate var delegate: FetchProbe?
    fileprivate var task: Task<Void, Never>?

    /// Returns when a fetch that has its answer has passed it on.
    func end() async { await task?.value }

    /// Cancels the fetch as its style does: by its token, or by its task.
    func cancel(in manager: StoreManager) {
        task?.cancel()
        if let token { manager.cancel(token) }
    }
}

extension ManagerFixture {
    /// Begins a fetch that records under `name`; returns when the store has been asked.
    func fetch(
        _ style: FetchStyle, _ name: String, _ identifiers: some Sequence<String> & Sendable, cacheResult: Bool = true
    ) async -> BegunFetch {
        switch style {
        case .closures:
            let token = manager.fetchProducts(
                withIdentifiers: identifiers, handlers: recorder.fetchHandlers(name), cacheResult: cacheResult)
            return BegunFetch(token: token)
        case .delegate:
            let probe = FetchProbe(name: name, recorder: recorder)
            let token = manager.fetchProducts(withIdentifiers: identifiers, delegate: probe, cacheResult: cacheResult)
            return BegunFetch(token: token, delegate: probe)
        case .async:
            return await begin(name, identifiers, cacheResult)
        }
    }

    private func begin(
        _ name: String, _ identifiers: some Sequence<String> & Sendable, _ cacheResult: Bool
    ) async -> BegunFetch {
        var task: Task<Void, Never>?
        await withCheckedContinuation { begun in
            task = Task {
                // Whoever waits for this goes on when the task has left the main actor, which is after it has asked.
                begun.resume()
                do {
                    let response = try await manager.products(withIdentifiers: identifiers, cacheResult: cacheResult)
                    recorder.record("\(name) \(response.line)")
                } catch {
                    recorder.record("\(name) failure \((error as? StoreError)?.name ?? "\(type(of: error))")")
                }
            }
        }
        return BegunFetch(task: task)
    }

    /// The store answers one of the fetches that it was asked for, the first by default, with products of these identifiers.
    func answerFetch(_ number: Int = 0, with products: String...) async {
        await answerFetch(number, with: products.map { .sample($0) })
    }

    /// The store answers one of the fetches with these products.
    func answerFetch(_ number: Int, with products: [StoreProduct]) async {
        guard let token = tokenOfFetch(number) else { return }
        await report(.productsFetched(products, for: token))
    }

    /// The store fails one of the fetches that it was asked for, the first by default.
    func failFetch(_ number: Int = 0, with error: StoreError = .network()) async {
        guard let token = tokenOfFetch(number) else { return }
        await report(.productFetchFailed(error, for: token))
    }

    private func tokenOfFetch(_ number: Int) -> RequestToken? {
        let fetches = backend.fetches
        if fetches.indices.contains(number) { return fetches[number].token }
        Issue.record("The store was asked \(fetches.count) times, and not \(number + 1) times.")
        return nil
    }
}

/// A delegate that records what a fetch brings.
@MainActor
final class FetchProbe: ProductFetchDelegate {
    private let name: String
    private let recorder: Recorder

    init(name: String, recorder: Recorder) {
        self.name = name
        self.recorder = recorder
    }

    func storeManager(_ manager: StoreManager, didFetch response: ProductFetchResponse, for token: RequestToken) {
        recorder.record("\(name) \(response.line)")
    }

    func storeManager(_ manager: StoreManager, didFailToFetch error: StoreError, for token: RequestToken) {
        recorder.record("\(name) failure \(error.name)")
    }
}
