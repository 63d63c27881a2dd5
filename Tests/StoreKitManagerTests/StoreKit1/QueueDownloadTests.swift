import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    @MainActor
    struct QueueDownloadTests {
        let app: QueueApp

        init() throws {
            app = try QueueApp()
            app.store.contentFolder = URL(filePath: "/content")
        }

        @Test("L02 hosted content is fetched before success, through pause and resume")
        func downloads() async throws {
            app.store.hostedContent = [QueueApp.removeAds: [HostedContent(id: "pictures"), HostedContent(id: "words")]]
            let token = try await app.buy(QueueApp.removeAds)
            let downloads = try #require(app.store.unfinishedTransactions.first?.downloads)
            await advance(by: 5)
            app.manager.perform(.pause, on: downloads)
            await app.settle()
            await advance(by: 100)
            #expect(app.lines.isEmpty && app.manager.isPending(token))
            app.manager.perform(.resume, on: downloads)
            await app.settle()
            await advance(by: 5)
            #expect(app.lines == ["a success 1"])
            #expect(app.queue.transactions.isEmpty)
        }

        @Test("L02 a download that is given up or fails is the request's failure, and leaves the purchase unfinished")
        func endings() async throws {
            app.store.hostedContent = [
                QueueApp.removeAds: [HostedContent(id: "pictures")],
                QueueApp.stamps: [HostedContent(id: "words", failsAt: 0.3)],
            ]
            try await app.buy(QueueApp.removeAds)
            app.manager.perform(.cancel, on: try #require(app.store.unfinishedTransactions.first?.downloads))
            await app.settle()
            try await app.buy(QueueApp.stamps, as: "b")
            await advance(by: 10)
            #expect(app.lines == ["a failure 1 downloadCancelled", "b failure 2 downloadFailed"])
            #expect(app.queue.transactions.count == 2)
        }

        @Test("L02 what the store says of a download comes over whole")
        func values() async throws {
            let ear = app.hear()
            app.store.hostedContent = [QueueApp.removeAds: [HostedContent(id: "words", version: "2.1")]]
            try app.store.buyProduct(identifier: QueueApp.removeAds)
            await StoreKitDouble.settle()
            await app.backend.settle()
            let waiting = try #require(ear.updates.first?.transaction.downloads.first)
            #expect(waiting.id == "words" && waiting.transactionID == "1" && waiting.state == .waiting)
            app.backend.perform(.start, on: [waiting])
            await StoreKitDouble.settle()
            app.store.clock.advance(by: 5)
            await StoreKitDouble.settle()
            await app.backend.settle()
            var half = StoreDownload(
                id: "words", transactionID: "1", state: .active, progress: 0.5, expectedContentLength: 10_000_000,
                contentVersion: "2.1")
            half.timeRemaining = 5
            #expect(ear.downloads.last == half)
            app.store.clock.advance(by: 5)
            await StoreKitDouble.settle()
            await app.backend.settle()
            #expect(ear.downloads.last?.state == .finished)
            #expect(ear.downloads.last?.contentURL?.lastPathComponent == "words")
        }

        @Test("L02 a download whose transaction has left the queue fails, and says why")
        func gone() async throws {
            let ear = app.hear()
            app.backend.perform(.start, on: [StoreDownload(id: "words", transactionID: "9")])
            #expect(ear.downloads.map(\.state) == [.failed])
            #expect(ear.downloads.first?.failure?.isEmpty == false)
        }

        private func advance(by seconds: TimeInterval) async {
            app.store.clock.advance(by: seconds)
            await app.settle()
        }
    }
}
