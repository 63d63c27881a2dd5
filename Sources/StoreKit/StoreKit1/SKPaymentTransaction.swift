public import Foundation
import StoreManagerCore

// `@unchecked Sendable` is right because `content` and `number` are read and written under the lock alone, and what it holds is never
// changed: a payment in it is a copy that nobody else had, and an SKDownload guards itself.
/// A payment in the queue, or one that the queue brought from the store.
///
/// One object stays the same from `purchasing` to the end, while its state changes.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var content: Content
    private var number = 0

    /// What is known of a transaction.
    struct Content {
        var state = SKPaymentTransactionState.purchasing
        var identifier: String?
        var date: Date?
        var error: (any Error)?
        var payment = SKPayment()
        var original: SKPaymentTransaction?
        var downloads: [SKDownload] = []
    }

    /// An empty transaction.
    public override init() { content = Content() }

    init(_ content: Content) { self.content = content }

    /// Where it stands.
    open var transactionState: SKPaymentTransactionState { read(\.state) }
    /// The store's identifier; nil until it is paid.
    open var transactionIdentifier: String? { read(\.identifier) }
    /// When it was charged; nil until it is paid.
    open var transactionDate: Date? { read(\.date) }
    /// Why it failed.
    open var error: (any Error)? { read(\.error) }
    /// What was to be bought.
    open var payment: SKPayment { read(\.payment) }
    /// The purchase that this one restores; nil unless it restores one.
    open var original: SKPaymentTransaction? { read(\.original) }
    /// Content that the store hosts for it.
    open var downloads: [SKDownload] { read(\.downloads) }

    /// Shows what is known by now, unless something newer is shown already.
    func show(_ content: Content, number: Int) {
        lock.withLock {
            guard number > self.number else { return }
            self.number = number
            self.content = content
        }
    }

    private func read<Value>(_ property: KeyPath<Content, Value>) -> Value {
        lock.withLock { content[keyPath: property] }
    }
}
