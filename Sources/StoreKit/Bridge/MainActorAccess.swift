import Foundation

/// Runs something on the main actor and waits for it, from any thread.
///
/// StoreKit has synchronous members that any thread may use, while a simulated store lives on the main actor.
package func onMainActor<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    // The main queue, not the main thread: once an asynchronous `main` has suspended, the queue runs on other threads.
    if DispatchQueue.getSpecific(key: mainQueueMark) == true { return try MainActor.assumeIsolated(body) }
    return try DispatchQueue.main.sync { try MainActor.assumeIsolated(body) }
}

private let mainQueueMark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()
