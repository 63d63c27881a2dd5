import Foundation
import TestSupport
import Testing

@testable import StoreManagerCore

/// How often a ledger's file is rewritten. Costs are counted, not timed.
@MainActor
struct LedgerRewriteTests {
    /// What a manager does with many transactions at once.
    enum Work: CaseIterable, Sendable { case restore, entitlements, unasked }

    private func rewrites(by work: Work, of count: Int) async throws -> Int {
        let folder = try TemporaryFolder(inMemory: true)
        let files = CountingFileSystem()
        let fixture = ManagerFixture()
        let manager = fixture.manager
        let persistence = FilePersistence(url: folder.url.appending(path: "ledger"), fileSystem: files)
        manager.persistence = persistence
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        await manager.settle()
        fixture.backend.answer = { $0.finishedAtOnce }
        let owned = (1...count).map { StoreTransaction.sample("\($0)", of: "p\($0)", .nonConsumable, state: .restored) }
        switch work {
        case .restore:
            let token = manager.restorePurchases(onSuccess: { _ in })
            for transaction in owned {
                fixture.backend.report(.transactionsUpdated([.init(transaction, token: token)]))
            }
            await fixture.report(.restoreFinished(for: token))
        case .entitlements:
            guard case .entitlements(let token) = fixture.backend.commands.first else { return 0 }
            await fixture.report(.entitlementsRead(.success(owned), for: token))
        case .unasked:
            for transaction in owned { fixture.backend.report(.transactionsUpdated([.init(transaction)])) }
            await manager.settle()
        }
        #expect(try await persistence.purchasedProductIdentifiers.count == count)
        return files.rewrites
    }

    @Test("R12 S07 the ledger's file is rewritten as often for 200 transactions as for 2", arguments: Work.allCases)
    func batched(work: Work) async throws {
        let few = try await rewrites(by: work, of: 2)
        #expect(try await rewrites(by: work, of: 200) == few)
        // Once to write them down, and once to note that they were finished.
        #expect(few == (work == .entitlements ? 1 : 2))
    }
}

/// The system's files, and how often one was written.
private final class CountingFileSystem: LedgerFileSystem {
    private let system = SystemFileSystem()
    private let count = Locked(0)

    var rewrites: Int { count.withLock { $0 } }

    func createFolder(_ path: String) throws { try system.createFolder(path) }
    func withLock<Result>(onFolder path: String, _ body: () throws -> Result) throws -> Result {
        try system.withLock(onFolder: path, body)
    }
    func read(_ path: String, upTo count: Int) throws -> Data? { try system.read(path, upTo: count) }
    func writeSynced(_ data: Data, to path: String) throws {
        count.withLock { $0 += 1 }
        try system.writeSynced(data, to: path)
    }
    func rename(_ path: String, to newPath: String) throws { try system.rename(path, to: newPath) }
    func syncFolder(_ path: String) throws { try system.syncFolder(path) }
    func remove(_ path: String) { system.remove(path) }
}
