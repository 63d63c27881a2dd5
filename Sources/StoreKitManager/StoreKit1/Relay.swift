/// Carries what StoreKit calls back with to the main actor: one call after the other, in their order, whatever threads they
/// come in.
struct Relay: Sendable {
    /// What is done about a call.
    typealias Call = @MainActor @Sendable (StoreKit1Backend) -> Void

    /// The calls, for the one backend to which they go.
    let calls: AsyncStream<Call>
    private let continuation: AsyncStream<Call>.Continuation

    init() { (calls, continuation) = AsyncStream.makeStream() }

    /// Adds a call.
    func post(_ call: @escaping Call) { continuation.yield(call) }

    /// Nobody is there any more to whom calls could go.
    func finish() { continuation.finish() }
}
