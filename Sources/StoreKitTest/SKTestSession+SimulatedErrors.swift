import StoreKit
import StoreSimulator

extension SKTestSession {
    /// Makes an interface of StoreKit fail from now on; nil lets it work again.
    ///
    /// - Throws: ``SKTestError`` for an interface that is none of StoreKit's.
    public func setSimulatedError<API: FailableStoreKitAPI>(_ error: API.Failure?, forAPI api: API) async throws {
        guard let type = API.Failure.self as? any SimulatedFailure.Type else {
            throw SKTestError(.invalidAction, "\(API.self) is no interface of StoreKit's.")
        }
        await set((error as? any SimulatedFailure)?.failure, for: type.api)
    }

    /// The failure that an interface of StoreKit shows; nil where it works.
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        guard let type = API.Failure.self as? any SimulatedFailure.Type else { return nil }
        return await simulatedErrors[type.api].flatMap { type.init($0) } as? API.Failure
    }

    @MainActor
    private var simulatedErrors: [StoreAPI: StoreAPIFailure] { store.controls.simulatedErrors }

    @MainActor
    private func set(_ failure: StoreAPIFailure?, for api: StoreAPI) { store.controls.simulatedErrors[api] = failure }
}
