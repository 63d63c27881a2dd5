public import Foundation
public import StoreManagerCore

/// Verifies each transaction of a store manager by the app receipt, which it has checked here or by a server.
///
/// Where the receipt is missing, not valid or without the transaction, it is refreshed once, all who wait sharing one refresh,
/// and looked at once more. What the receipt does not list may still be on its way to it, so that nobody can tell.
public struct AppReceiptTransactionVerifier: TransactionVerifier, Sendable {
    private let checker: any ReceiptChecker
    private let receipt: @Sendable () async throws -> Data?
    private let refresher: ReceiptRefresher

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - checker: Checks the receipt, and finds the transaction in it.
    ///   - refreshInterval: For so many seconds no second refresh is made on behalf of one transaction, since each may ask the
    ///     customer to sign in while a store manager asks again every few seconds.
    ///   - now: The date now.
    ///   - receipt: Reads the receipt file; nil where there is none.
    ///   - refresh: Has the store write a new receipt file, and throws where it does not, as when the customer cancels.
    public init(
        _ checker: some ReceiptChecker, refreshInterval: TimeInterval = 5 * 60,
        now: @escaping @Sendable () -> Date = { Date() }, receipt: @escaping @Sendable () async throws -> Data?,
        refresh: @escaping @Sendable () async throws -> Void
    ) {
        self.checker = checker
        self.receipt = receipt
        refresher = ReceiptRefresher(interval: refreshInterval, now: now, refresh: refresh)
    }

    /// Looks a transaction up in the receipt.
    ///
    /// - Returns: `.invalid` where the receipt is refused even after a refresh, or lists the transaction as taken back;
    ///   `.unableToComplete` where there is no receipt, it cannot be read, it does not list the transaction, or it could not be
    ///   refreshed, and where a server that is asked does not decide.
    public func verify(_ transaction: StoreTransaction) async -> VerificationVerdict {
        let refreshCount = await refresher.count
        do {
            do {
                return try await look(for: transaction)
            } catch {
                guard error.isOfReceipt, try await refresher.refresh(for: transaction.id, since: refreshCount) else {
                    throw error
                }
            }
            return try await look(for: transaction)
        } catch let error as VerificationError {
            // A receipt that cannot be read says nothing of the transaction either.
            if case .malformed = error { return .unableToComplete(error) }
            return error.verdict
        } catch {
            return .unableToComplete(error)
        }
    }

    private func look(for transaction: StoreTransaction) async throws -> VerificationVerdict {
        guard let data = try await receipt(), !data.isEmpty else { throw AppReceiptError.receiptMissing }
        try await checker.check(transaction, in: data)
        return .valid
    }
}

extension Error {
    /// Whether it is about the receipt, so that another one might not have it.
    fileprivate var isOfReceipt: Bool {
        switch self as? VerificationError {
        case .refused(.purchaseRevoked), .undecided: false
        case .malformed, .refused: true
        case nil: self is AppReceiptError
        }
    }
}

/// Why a transaction cannot be looked up.
public enum AppReceiptError: Error, Hashable, Sendable {
    /// There is no receipt. That is usual for apps that were not installed from the App Store.
    case receiptMissing
    /// The receipt is genuine and does not list the transaction.
    case transactionMissing(identifier: String)
}

extension AppReceiptError: LocalizedError {
    /// The reason, as a sentence.
    public var errorDescription: String? {
        switch self {
        case .receiptMissing: "The app has no receipt."
        case .transactionMissing(let identifier): "The app's receipt does not list transaction \(identifier)."
        }
    }
}

/// Refreshes a receipt for any number of callers, one refresh at a time.
private actor ReceiptRefresher {
    /// How many refreshes have ended.
    private(set) var count = 0

    private let interval: TimeInterval
    private let now: @Sendable () -> Date
    private let refresh: @Sendable () async throws -> Void
    /// The refresh that is running, else the last one.
    private var task: Task<Void, any Error>?
    private var isRunning = false
    /// When a refresh on behalf of each transaction ended.
    private var ends: [String: Date] = [:]

    init(
        interval: TimeInterval, now: @escaping @Sendable () -> Date,
        refresh: @escaping @Sendable () async throws -> Void
    ) {
        self.interval = interval
        self.now = now
        self.refresh = refresh
    }

    /// Waits for the refresh that is running or has ended since the caller looked, else for a new one.
    ///
    /// - Returns: False where one on behalf of the transaction was made not long ago.
    /// - Throws: What the refresh throws.
    func refresh(for transactionIdentifier: String, since lookedAt: Int) async throws -> Bool {
        ends = ends.filter { abs(now().timeIntervalSince($0.value)) < interval }
        let isNewsToCaller = isRunning || count > lookedAt
        if !isNewsToCaller, ends[transactionIdentifier] != nil { return false }
        let shared = isNewsToCaller ? task : nil
        defer { ends[transactionIdentifier] = now() }
        try await (shared ?? start()).value
        return true
    }

    private func start() -> Task<Void, any Error> {
        isRunning = true
        let task = Task {
            defer {
                isRunning = false
                count += 1
            }
            try await refresh()
        }
        self.task = task
        return task
    }
}
