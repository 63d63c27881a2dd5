import Dispatch
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The contract on whether a purchase is genuine, and what becomes of it then.
    @MainActor
    struct VerificationContractTests {
        /// The only unfinished transaction.
        private func open(_ shop: ContractShop) throws -> StoreTransaction {
            try #require(shop.store.unfinishedTransactions.first)
        }

        @Test(
            "A01 V01 V02 V10 verify, write, download, deliver, finish, each once and in this order",
            arguments: StoreWorld.all)
        func order(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.manager.persistence = TestPersistence(recorder: shop.recorder)
            shop.manager.contentDownloader = TestDownloader(recorder: shop.recorder)
            shop.manager.purchaseProduct(
                withIdentifier: "coins",
                onSuccess: { [shop] transaction in
                    #expect(shop.unfinished == ["coins"])
                    shop.recorder.record("a success \(transaction.id)")
                }, onVerify: shop.handlers("a", verifies: true).onVerify)
            await shop.settle()
            #expect(shop.lines == ["a verify 1"])
            #expect(shop.manager.transaction(try open(shop), didVerify: true))
            await shop.settle()
            #expect(shop.lines == ["a verify 1", "ledger write 1", "download 1", "a success 1"])
            #expect(shop.unfinished == [])
        }

        @Test(
            "A01 V03 what is not genuine is finished and fails once; the handler may buy again at once",
            arguments: StoreWorld.all)
        func invalid(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let ledger = MemoryPersistence()
            shop.manager.persistence = ledger
            shop.manager.purchaseProduct(
                withIdentifier: "coins", onSuccess: { _ in },
                onFailure: { [shop] _, error in
                    shop.recorder.record("a failure - \(error.name)")
                    shop.buy(as: "b")
                },
                onVerify: { [shop] in shop.manager.transaction($0, didVerify: false) })
            await shop.settle()
            #expect(shop.lines == ["a failure verificationFailed", "b success 2"])
            #expect(shop.unfinished == [])
            #expect(try await ledger.count(of: "coins") == 1)
        }

        @Test(
            "A01 V04 what nobody can tell stays unfinished, and is asked about again until it is delivered",
            arguments: StoreWorld.all)
        func undecided(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let ledger = MemoryPersistence()
            shop.manager.persistence = ledger
            let verdict = Locked(VerificationVerdict.unableToComplete(SampleError()))
            shop.manager.purchaseProduct(
                withIdentifier: "coins", onSuccess: { _ in }, onFailure: shop.handlers("a").onFailure,
                onVerify: { [shop] in
                    shop.recorder.record("a verify \($0.id)")
                    shop.manager.transaction($0, didVerify: verdict.withLock { $0 })
                })
            await shop.settle()
            #expect(shop.lines == ["a verify 1", "a failure unableToCompleteVerification"])
            await shop.pass(2)
            await shop.pass(4)
            shop.manager.retryPendingVerifications()
            await shop.settle()
            #expect(shop.lines.dropFirst(2) == ["a verify 1", "a verify 1", "a verify 1"])
            #expect(shop.unfinished == ["coins"])
            #expect(try await ledger.count(of: "coins") == 0)
            verdict.withLock { $0 = .valid }
            shop.manager.retryPendingVerifications()
            await shop.settle()
            #expect(shop.lines.suffix(2) == ["a verify 1", "default success 1"])
            await shop.pass(600)
            #expect(shop.lines.filter { $0 == "default success 1" }.count == 1)
            #expect(shop.unfinished == [])
            #expect(try await ledger.count(of: "coins") == 1)
        }

        @Test("A01 V04 at the next launch what nobody could tell is asked about again", arguments: StoreWorld.all)
        func undecidedAtLaunch(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.manager.verifier = TestVerifier { _ in .unableToComplete(SampleError()) }
            shop.buy(as: "a")
            await shop.settle()
            #expect(shop.lines == ["a failure unableToCompleteVerification"])
            await shop.relaunch()
            shop.manager.verifier = TestVerifier(recorder: shop.recorder)
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines == ["verifier 1", "default success 1"] && shop.unfinished == [])
        }

        @Test("A01 V05 V06 of the answers of any threads the first counts, and no other", arguments: StoreWorld.all)
        func threads(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.buy(as: "a", verifies: true)
            await shop.settle()
            let (transaction, manager) = (try open(shop), shop.manager)
            #expect(!manager.transaction(.sample("unknown"), didVerify: true))
            let counted = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            DispatchQueue.global().async {
                                continuation.resume(returning: manager.transaction(transaction, didVerify: true))
                            }
                        }
                    }
                }
                var counted = 0
                for await counts in group where counts { counted += 1 }
                return counted
            }
            #expect(counted == 1)
            await shop.settle()
            #expect(!manager.transaction(transaction, didVerify: false))
            #expect(shop.lines == ["a verify 1", "a success 1"] && shop.unfinished == [])
        }

        @Test(
            "A01 V07 no answer in time is could-not-tell; a late yes delivers, to the default receiver",
            arguments: StoreWorld.all)
        func late(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.buy(as: "a", verifies: true)
            await shop.pass(59)
            #expect(shop.lines == ["a verify 1"])
            await shop.pass(1)
            #expect(shop.lines == ["a verify 1", "a failure unableToCompleteVerification"])
            #expect(shop.manager.transaction(try open(shop), didVerify: true))
            await shop.settle()
            #expect(shop.lines.dropFirst(2) == ["default success 1"] && shop.unfinished == [])
        }

        @Test(
            "A01 V08 without a verify handler the verifier is asked, and nobody where there is none",
            arguments: StoreWorld.all)
        func verifier(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.buy(as: "a")
            await shop.settle()
            shop.manager.verifier = TestVerifier(recorder: shop.recorder) { _ in .invalid(reason: "no") }
            shop.buy(as: "b")
            await shop.settle()
            #expect(shop.lines == ["a success 1", "verifier 2", "b failure verificationFailed"])
            #expect(shop.unfinished == [])
        }

        @Test(
            "A01 V08 what StoreKit itself finds unverified fails, stays unfinished, and is looked at again at launch",
            arguments: StoreWorld.all)
        func unverified(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, needing: .signatures)
            try shop.store.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
            shop.buy(as: "a", verifies: true)
            await shop.settle()
            #expect(shop.lines == ["a failure verificationFailed"] && shop.unfinished == ["coins"])
            try shop.store.setSimulatedError(nil, forAPI: .verification)
            await shop.relaunch()
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines == ["default success 1"] && shop.unfinished == [])
        }
    }
}
