public import Foundation
public import StoreManagerCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests through Foundation's `URLSession`: without cache, cookies or stored passwords, without following redirects, and
/// with an end to time and size.
///
/// May be used on any number of threads.
///
/// On Linux Foundation itself stops the process when a server closes the connection amid the header of its answer (seen with
/// Swift 6.3). Whoever asks servers there that may be out of hand should give another ``HTTPClient``.
public final class URLSessionClient: HTTPClient, Sendable {
    private let session: URLSession
    private let transfers: Transfers
    private let timeout: TimeInterval
    private let clock: any StoreClock

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - timeout: How long a request may take from its start to the end of its answer, in seconds.
    ///   - maximumByteCount: How many bytes an answer may have once it is decompressed. Apple's have some hundred for each purchase.
    ///   - clock: What the time is measured by.
    public init(
        timeout: TimeInterval = 30, maximumByteCount: Int = 32 << 20, clock: any StoreClock = SystemStoreClock()
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        transfers = Transfers(maximumByteCount: maximumByteCount)
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
        self.timeout = timeout
        self.clock = clock
    }

    deinit {
        // A session keeps its delegate until it is told that it is not needed any more.
        session.finishTasksAndInvalidate()
    }

    /// Sends a request and returns the answer to it, of whatever status, redirects included.
    ///
    /// - Throws: ``ReceiptServerError/timedOut(after:)``, ``ReceiptServerError/answerTooLarge(limit:)``, `CancellationError`, or
    ///   the error of `URLSession`.
    public func send(_ request: URLRequest) async throws -> HTTPAnswer {
        let (clock, timeout) = (clock, timeout)
        let deadline = clock.now.addingTimeInterval(timeout)
        return try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
            group.addTask { try await self.transfer(request) }
            group.addTask {
                try await clock.sleep(until: deadline)
                throw ReceiptServerError.timedOut(after: timeout)
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    private func transfer(_ request: URLRequest) async throws -> HTTPAnswer {
        var request = request
        // The session has a time-out of its own, for the gaps between bytes; it must not be the shorter one.
        request.timeoutInterval = timeout
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { transfers.start(task, $0) }
        } onCancel: {
            transfers.giveUp(task, CancellationError())
        }
    }
}

/// The requests that are on their way, by the session's number for them.
private final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
    private struct Transfer {
        let continuation: CheckedContinuation<HTTPAnswer, any Error>
        var body = Data()
    }

    private let maximumByteCount: Int
    private let running = Locked<[Int: Transfer]>([:])

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// Starts a transfer, on behalf of the current task.
    func start(_ task: URLSessionTask, _ continuation: CheckedContinuation<HTTPAnswer, any Error>) {
        running.withLock { $0[task.taskIdentifier] = Transfer(continuation: continuation) }
        // Whoever was cancelled until here found no transfer to give up.
        if Task.isCancelled { giveUp(task, CancellationError()) } else { task.resume() }
    }

    /// Ends a transfer before its time, if it still runs. The caller does not wait for the session, which may take seconds to
    /// cancel where a server sends and sends.
    func giveUp(_ task: URLSessionTask, _ error: any Error) {
        take(task)?.continuation.resume(throwing: error)
        task.cancel()
    }

    private func take(_ task: URLSessionTask) -> Transfer? {
        running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func finish(_ task: URLSessionTask, _ error: (any Error)?) {
        guard let transfer = take(task) else { return }
        if let response = task.response as? HTTPURLResponse, error == nil {
            transfer.continuation.resume(
                returning: HTTPAnswer(
                    status: response.statusCode, body: transfer.body,
                    location: response.value(forHTTPHeaderField: "Location")))
        } else {
            transfer.continuation.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }

    // MARK: What the session tells

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = running.withLock { running in
            guard var transfer = running.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            // Taken out of the table and put back, so that the body is appended to in place.
            defer { running[dataTask.taskIdentifier] = transfer }
            guard data.count <= maximumByteCount - transfer.body.count else { return true }
            transfer.body.append(data)
            return false
        }
        if isTooLarge { giveUp(dataTask, ReceiptServerError.answerTooLarge(limit: maximumByteCount)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(task, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // A server asks for a password, and there is none. Foundation on Linux would send the request again, and again without
        // end, so the answer is taken as it is.
        finish(task, nil)
        task.cancel()
        #else
        completionHandler(.performDefaultHandling, nil)
        #endif
    }
}
