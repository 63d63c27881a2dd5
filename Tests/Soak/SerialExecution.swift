import Foundation

/// Has everything run on the main actor's queue from now on, also what would run on other threads: then the order of all that
/// happens is decided by the program alone, and a life can be lived again.
///
/// The concurrency runtime has this hook for tools such as this one; the manager and the store know nothing of it.
func executeSerially() {
    typealias Original = @convention(thin) (UnownedJob) -> Void
    typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
    guard let place = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else {
        preconditionFailure("the concurrency runtime has no hook to run everything on one queue with")
    }
    place.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in MainActor.shared.enqueue(job) }
}
