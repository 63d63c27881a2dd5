import StoreManagerCore

/// One observer of a backend, and what is read of StoreKit's sequences for it. The reading ends with this object.
@MainActor
final class StoreKitObservation {
    private weak var backend: StoreKit2Backend?
    private weak var observer: (any StoreBackendObserver)?
    private var readings: [Task<Void, Never>] = []

    init(of backend: StoreKit2Backend, by observer: any StoreBackendObserver) {
        self.backend = backend
        self.observer = observer
    }

    deinit { for reading in readings { reading.cancel() } }

    /// Whether this is the observer.
    func isFor(_ observer: any StoreBackendObserver) -> Bool { self.observer === observer }

    /// Reports something, if the observer is still there.
    func report(_ event: StoreBackendEvent) {
        guard let backend, let observer else { return }
        observer.storeBackend(backend, didReport: event)
    }

    /// Reads a sequence to its end, or for ever, one element after the other.
    func read<Elements: AsyncSequence & SendableMetatype>(
        _ elements: @escaping @Sendable () -> Elements,
        _ receive: @escaping @MainActor @Sendable (StoreKit2Backend, Elements.Element) -> Void
    ) where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
        // Away from the main actor: not all of StoreKit's sequences may be sent, and none of their iterators.
        backend?.workCount += 1
        readings.append(
            Task.detached { [weak self, weak backend] in
                do {
                    var iterator = elements().makeAsyncIterator()
                    await backend?.didOpenSequence()
                    while let element = try await iterator.next() {
                        guard await self?.pass(element, to: receive) == true else { return }
                    }
                } catch {
                    // None of StoreKit's sequences throws.
                }
            })
    }

    /// False: nobody is there any more.
    private func pass<Element: Sendable>(
        _ element: Element, to receive: @MainActor @Sendable (StoreKit2Backend, Element) -> Void
    ) -> Bool {
        guard let backend, observer != nil, !Task.isCancelled else { return false }
        receive(backend, element)
        return true
    }
}

extension StoreKit2Backend {
    fileprivate func didOpenSequence() { workCount -= 1 }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// All elements of a sequence that ends.
    func collected() async -> [Element] {
        var elements: [Element] = []
        do {
            for try await element in self { elements.append(element) }
        } catch {
            // None of StoreKit's sequences throws.
        }
        return elements
    }
}
