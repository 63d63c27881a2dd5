import StoreManagerCore
import TestSupport
import Testing

/// Requests, answers and readers from many threads at once. Run these under the thread sanitizer, too.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct ThreadTests {
    let shop = ManagerFixture()

    @Test("M02 1,000 requests from concurrent tasks are each answered once, as they should be")
    func manyRequests() async throws {
        shop.backend.answerByItself()
        shop.manager.persistence = TestPersistence()
        shop.manager.verifier = TestVerifier()
        shop.manager.defaultHandlers = shop.recorder.purchaseHandlers("default")
        let manager = shop.manager
        let events = manager.events
        let counts = await withTaskGroup(of: String.self) { group in
            for number in 0..<1_000 { group.addTask { await Self.request(number, of: manager) } }
            var counts: [String: Int] = [:]
            for await ending in group { counts[ending, default: 0] += 1 }
            return counts
        }
        #expect(
            counts == [
                "fetched 1": 250, "sold purchased": 166, "cancelled cancelled": 167, "failed productUnavailable": 167,
                "restored 3": 125, "success": 125,
            ])
        await manager.settle()
        #expect(shop.lines.filter { $0.hasPrefix("default") } == [])
        #expect(Set(shop.backend.finished).count == shop.backend.finished.count)
        shop.backend.report(.transactionsRemoved(["last"]))
        var seen: [String: Int] = [:]
        for await event in events {
            if case .transactionsRemoved = event { break }
            if case .transactionsUpdated = event { continue }
            seen[event.name, default: 0] += 1
        }
        #expect(seen["purchased"] == 291)
        #expect(seen["purchaseCancelled"] == 167)
        #expect(seen["restoreFinished"] == 125)
    }

    /// One request, of one of several kinds; returns how it ended.
    nonisolated private static func request(_ number: Int, of manager: StoreManager) async -> String {
        do {
            switch number % 8 {
            case 0, 4:
                let response = try await manager.products(withIdentifiers: ["sold", "product\(number % 16)"].prefix(1))
                return "fetched \(response.products.count)"
            case 1, 2, 3, 5:
                let product = ["sold", "cancelled", "failed"][number % 3]
                let outcome = try await manager.purchase(.sample(product, .nonConsumable))
                return "\(product) \(outcome.name)"
            case 6:
                return "restored \(try await manager.restorePurchases().restored.count)"
            default:
                return await withCheckedContinuation { continuation in
                    Task { @MainActor in
                        manager.purchase(
                            .sample("sold"), onSuccess: { _ in continuation.resume(returning: "success") },
                            onVerify: { transaction in
                                Task.detached { manager.transaction(transaction, didVerify: true) }
                            })
                    }
                }
            }
        } catch {
            return "\(["sold", "cancelled", "failed"][number % 3]) \((error as? StoreError)?.name ?? "\(error)")"
        }
    }

    @Test("M02 V05 V06 of answers from many threads to one question exactly one counts")
    func manyAnswers() async {
        for number in 0..<50 {
            let token = shop.manager.purchase(.sample(), handlers: shop.recorder.purchaseHandlers("a", verifies: true))
            await shop.answer(token, with: .sample("\(number)"))
            let counted = await withTaskGroup(of: Bool.self) { group in
                for isValid in [true, false, true, false] {
                    group.addTask { [manager = shop.manager] in
                        manager.transaction(.sample("\(number)"), didVerify: isValid)
                    }
                }
                var count = 0
                for await counts in group where counts { count += 1 }
                return count
            }
            #expect(counted == 1)
            await shop.report(.transactionFinished("\(number)"))
        }
        let endings = shop.recorder.lines(of: "a").filter { !$0.contains("verify") }
        #expect(endings.count == 50)
    }

    @Test(
        "M01 whatever thread an answer comes from, handlers, delegates and observers are called on the main actor")
    func mainActor() async {
        let recorder = shop.recorder
        let delegate = IsolationProbe(recorder: recorder)
        shop.manager.addObserver(delegate)
        shop.manager.contentDownloader = BackgroundDownloader()
        shop.manager.verifier = TestVerifier()
        func check(_ name: String) {
            MainActor.preconditionIsolated()
            recorder.record(name)
        }
        shop.manager.purchase(
            .sample(), onSuccess: { _ in check("closure success") },
            onVerify: { [manager = shop.manager] transaction in
                check("closure verify")
                Task.detached {
                    manager.transaction(transaction, didVerify: true)
                    recorder.record("answered")
                }
            })
        await shop.answer(shop.backend.payments.first?.token, with: .sample("1"))
        await shop.manager.settle()
        shop.manager.purchase(.sample("gems"), delegate: delegate)
        await shop.answer(shop.backend.payments.last?.token, with: .sample("2", of: "gems"))
        for line in ["closure verify", "closure success", "delegate success", "observer progress"] {
            await recorder.wait(for: line)
        }
    }
}

/// Checks that it is called on the main actor.
@MainActor
private final class IsolationProbe: PurchaseDelegate, StoreObserver {
    private let recorder: Recorder

    init(recorder: Recorder) { self.recorder = recorder }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        check("delegate success")
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        check("delegate failure")
    }

    func storeDownloadUpdated(_ progress: StoreDownloadProgress) { check("observer progress") }

    private func check(_ name: String) {
        MainActor.preconditionIsolated()
        recorder.record(name)
    }
}

/// Reports its progress from threads of its own.
private struct BackgroundDownloader: ContentDownloader {
    func download(for transaction: StoreTransaction, progress: @escaping @Sendable (Double) -> Void) async throws {
        await withTaskGroup(of: Void.self) { group in
            for step in 1...4 { group.addTask { progress(Double(step) / 4) } }
        }
    }
}
