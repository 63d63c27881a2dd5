public import Foundation
import StoreManagerCore

/// Something that is asked of the store. Apps use its subclasses.
///
/// The request and its delegate are the app's to keep: one that is released is answered to nobody.
open class SKRequest: NSObject {
    let delegates = WeakReference()
    /// Counts starts and ends, so that an answer is told from one that is too late.
    private let run = Locked(Run())

    private struct Run: Sendable {
        var number = 0
        var isUnderWay = false
    }

    /// A request.
    public override init() {}

    /// Who is answered. Held weakly.
    @_disfavoredOverload open var delegate: (any SKRequestDelegate)? {
        get { delegates.object as? any SKRequestDelegate }
        set { delegates.object = newValue }
    }

    /// Asks the store. A request that is under way is not asked again.
    open func start() {
        let started = run.withLock { run -> Int? in
            guard !run.isUnderWay else { return nil }
            run.isUnderWay = true
            run.number += 1
            return run.number
        }
        if let started { ask(Reply(of: self, run: started)) }
    }

    /// Gives the request up: its delegate hears nothing any more.
    open func cancel() { run.withLock { $0.isUnderWay = false } }

    /// Puts the request to the store.
    func ask(_ reply: Reply<SKRequest>) {}

    /// Ends the run of this number; whether it was still under way.
    fileprivate func end(_ number: Int) -> Bool {
        run.withLock { run in
            guard run.isUnderWay, run.number == number else { return false }
            run.isUnderWay = false
            return true
        }
    }
}

/// Requests call back from a queue that StoreKit chooses, but are the thread's that made them.
@available(*, unavailable)
extension SKRequest: @unchecked Sendable {}

// `@unchecked Sendable` is right because the weak reference is never written to, and the request is only touched in the
// queue of callbacks, as the request's own documentation says.
/// Where the answer to a request goes: to its delegate, as long as both live in the same process of the app, and nobody gave
/// the request up.
struct Reply<Request: SKRequest>: @unchecked Sendable {
    private weak var request: Request?
    private let run: Int
    private let process = StoreLink.shared.process.withLock { $0 }

    fileprivate init(of request: Request, run: Int) {
        self.request = request
        self.run = run
    }

    /// Calls back with the request, unless it was given up, and ends it.
    func end(_ body: @escaping @Sendable (Request) -> Void) {
        StoreLink.shared.callBack {
            guard let request, request.end(run), process == StoreLink.shared.process.withLock({ $0 }) else { return }
            body(request)
        }
    }

    /// Ends the request with an error.
    func fail(with error: any Error) {
        end { $0.delegates.requestDelegate?.request($0, didFailWithError: error) }
    }
}

extension WeakReference {
    /// The object as a delegate of any request.
    var requestDelegate: (any SKRequestDelegate)? { object as? any SKRequestDelegate }
}
