import Foundation

/// Runs asynchronous work to its end inside a call, on the main thread, which libFuzzer gives to nobody else.
@MainActor
enum JobQueue {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
    private typealias Drain = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// Does all that waits for the main thread: what Foundation's run loop calls, without its waiting.
    private static let drain = unsafeBitCast(symbol("_dispatch_main_queue_callback_4CF"), to: Drain.self)

    /// Has all that would run on other threads run on the main one from now on.
    static func takeOver() {
        symbol("swift_task_enqueueGlobal_hook").assumingMemoryBound(to: Hook?.self).pointee = { job, _ in
            MainActor.shared.enqueue(job)
        }
    }

    /// Does the work, and whatever it begins. Work that waits for something that never comes is a fault, and ends the process.
    static func run(_ work: @escaping @MainActor () async -> Void) {
        var isDone = false
        Task {
            await work()
            isDone = true
        }
        var rounds = 0
        while !isDone {
            precondition(rounds < 1_000_000, "it waits for something that never comes")
            rounds += 1
            drain(nil)
        }
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer {
        guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), name) else { preconditionFailure("there is no \(name) here") }
        return symbol
    }
}
