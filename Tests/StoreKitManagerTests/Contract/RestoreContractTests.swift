import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The contract on restoring.
    @MainActor
    struct RestoreContractTests {
        /// What a restore is told that brings all that was bought.
        private let everything = "restored [gold, levels, theme] invalid [] undecided []"

        /// A newly installed app of somebody who owns two things and a subscription, and who had coins.
        private func open(in world: StoreWorld, needing gaps: StoreGap...) async throws -> ContractShop {
            for gap in gaps { try gap.skip(in: world) }
            let shop = try await ContractShop.open(in: world)
            for product in ["theme", "levels", "gold", "coins"] { await shop.own(product) }
            await shop.relaunch()
            shop.manager.defaultHandlers = shop.handlers("default")
            return shop
        }

        /// Answers about what waits for a verdict, by product.
        private func answer(_ shop: ContractShop, _ verdict: (StoreTransaction) -> VerificationVerdict?) async {
            let asked = asked
            for transaction in asked.transactions {
                if let verdict = verdict(transaction) { shop.manager.transaction(transaction, didVerify: verdict) }
            }
            await shop.settle()
        }

        /// The transactions that a restore handed over to be verified.
        @MainActor
        private final class Asked {
            var transactions: [StoreTransaction] = []
        }
        private let asked = Asked()

        /// Restores with a verify handler that keeps what it is given.
        private func restore(_ shop: ContractShop, as name: String) {
            var handlers = shop.restoreHandlers(name, verifies: true)
            let record = handlers.onVerify
            handlers.onVerify = { [asked] in
                asked.transactions += $0
                record?($0)
            }
            shop.manager.restorePurchases(handlers: handlers)
        }

        @Test(
            "A01 R01 a restore answers once, after verdicts, ledger and downloads; then all are finished",
            arguments: StoreWorld.all)
        func order(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            shop.manager.verifier = TestVerifier(recorder: shop.recorder)
            shop.manager.persistence = TestPersistence(recorder: shop.recorder)
            shop.manager.contentDownloader = TestDownloader(recorder: shop.recorder)
            let token = shop.restore(as: "r")
            #expect(shop.manager.isPending(token))
            await shop.settle()
            let kinds = shop.lines.map { $0.split(separator: " ")[0] }
            #expect(kinds.filter { $0 == "verifier" }.count == 3)
            #expect(kinds.filter { $0 == "ledger" }.count == 3)
            #expect(kinds.filter { $0 == "download" }.count == 3)
            #expect(shop.lines.last == "r \(everything)" && shop.lines.count == 10)
            #expect(!shop.manager.isPending(token) && shop.unfinished == [])
        }

        @Test(
            "A01 R02 nothing to restore is a success with empty lists, and nobody is asked", arguments: StoreWorld.all)
        func nothing(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.restore(as: "r", verifies: true)
            await shop.settle()
            #expect(shop.lines == ["r restored [] invalid [] undecided []"])
        }

        @Test(
            "A01 R03 a verify handler gets all together, and may answer in any order and much later",
            arguments: StoreWorld.all)
        func together(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            restore(shop, as: "r")
            await shop.pass(30)
            #expect(shop.lines == ["r verify [gold, levels, theme]"])
            asked.transactions.reverse()
            await answer(shop) { _ in .valid }
            #expect(shop.lines.dropFirst() == ["r \(everything)"] && shop.unfinished == [])
        }

        @Test("A01 R04 without it the verifier is asked, else all are valid", arguments: StoreWorld.all)
        func verifier(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            shop.restore(as: "a")
            await shop.settle()
            shop.manager.verifier = TestVerifier { $0.productIdentifier == "theme" ? .invalid(reason: "no") : .valid }
            shop.restore(as: "b")
            await shop.settle()
            #expect(
                shop.lines == [
                    "a \(everything)", "b restored [gold, levels] invalid [theme verificationFailed] undecided []",
                ])
            #expect(shop.unfinished == [])
        }

        @Test(
            "A01 R05 R09 what a restore lists again and again counts once, and is answered by it alone",
            arguments: StoreWorld.all)
        func twice(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            shop.store.faults[.restore].duplication = 1
            shop.restore(as: "r")
            await shop.settle()
            #expect(shop.lines == ["r \(everything)"] && shop.unfinished == [])
        }

        @Test("A01 R06 valid, invalid and undecided are told apart in one completion", arguments: StoreWorld.all)
        func mixed(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            restore(shop, as: "r")
            await shop.settle()
            await answer(shop) {
                switch $0.productIdentifier {
                case "theme": .valid
                case "levels": .invalid(reason: "no")
                default: .unableToComplete(SampleError())
                }
            }
            #expect(
                shop.lines.dropFirst() == [
                    "r restored [theme] invalid [levels verificationFailed] "
                        + "undecided [gold unableToCompleteVerification]"
                ])
        }

        @Test("A01 R06 where all are invalid there is one completion still", arguments: StoreWorld.all)
        func allInvalid(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            shop.manager.verifier = TestVerifier { _ in .invalid(reason: "no") }
            shop.restore(as: "r")
            await shop.settle()
            let invalid = ["gold", "levels", "theme"].map { "\($0) verificationFailed" }.line
            #expect(shop.lines == ["r restored [] invalid \(invalid) undecided []"] && shop.unfinished == [])
        }

        @Test("A01 R07 who does not sign in has cancelled the restore", arguments: StoreWorld.all)
        func cancelled(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            shop.store.simulatedErrors[.appStoreSync] = .generic(.userCancelled)
            shop.restore(as: "a")
            await shop.settle()
            shop.store.simulatedErrors[.appStoreSync] = .generic(.networkError)
            shop.restore(as: "b")
            await shop.settle()
            #expect(shop.recorder.lines == ["a failure cancelled", "b failure network"])
        }

        @Test(
            "A01 R08 restores that overlap share one of the store's, a later one starts afresh",
            arguments: StoreWorld.all)
        func overlap(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            shop.store.hold(.restore)
            shop.restore(as: "a")
            restore(shop, as: "b")
            restore(shop, as: "c")
            await shop.settle()
            #expect(shop.requests(.restore).count == 1)
            shop.store.release(.restore)
            await shop.settle()
            #expect(shop.lines == ["b verify [gold, levels, theme]"])
            await answer(shop) { _ in .valid }
            #expect(shop.lines.dropFirst().sorted() == ["a \(everything)", "b \(everything)", "c \(everything)"])
            shop.restore(as: "d")
            await shop.settle()
            #expect(shop.lines.last == "d \(everything)" && shop.requests(.restore).count == 2)
        }

        @Test("A01 R09 a restore and a purchase at the same time each have their own answer", arguments: StoreWorld.all)
        func beside(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            await shop.stock()
            shop.store.hold(.restore)
            shop.restore(as: "r")
            shop.store.buyer.nextAnswers = [.buy, .cancel]
            shop.buy(as: "a")
            shop.buy(as: "b")
            await shop.settle()
            #expect(shop.lines.sorted() == ["a success \(shop.sold()[1])", "b cancel"])
            shop.store.release(.restore)
            await shop.settle()
            #expect(shop.lines.dropFirst(2) == ["r \(everything)"] && shop.unfinished == [])
        }

        @Test("A01 R10 the user name is passed on", arguments: StoreWorld.all)
        func username(world: StoreWorld) async throws {
            let shop = try await open(in: world, needing: .restoringForUsers)
            shop.restore(as: "a", user: "reader 7")
            await shop.settle()
            #expect(shop.requests(.restore).map { $0["user"] } == ["reader 7"])
        }

        @Test("A01 R11 a restore may be begun inside the handler of another", arguments: StoreWorld.all)
        func inside(world: StoreWorld) async throws {
            let shop = try await open(in: world)
            shop.manager.restorePurchases(onSuccess: { _ in shop.restore(as: "b") })
            await shop.settle()
            #expect(shop.lines == ["b \(everything)"] && shop.requests(.restore).count == 2)
        }
    }
}
