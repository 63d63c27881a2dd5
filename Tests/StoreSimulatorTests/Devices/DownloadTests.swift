import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Hosted downloads")
struct DownloadTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp

    init() {
        app = TestApp(store)
        store.hostedContent = [
            Shop.removeAds: [HostedContent(id: "level-1"), HostedContent(id: "level-2", failsAt: 0.55)]
        ]
        store.contentFolder = URL(filePath: "/content")
    }

    private func last(_ id: String) -> StoreDownload? {
        app.events.lazy.compactMap { event -> StoreDownload? in
            guard case .downloadsUpdated(let downloads) = event else { return nil }
            return downloads.last { $0.id == id }
        }.reversed().first
    }

    @Test("C02 hosted content waits, moves with the clock, pauses, goes on and arrives")
    func arrives() async throws {
        let download = try #require(try await app.purchase(Shop.removeAds).downloads.first)
        #expect(download.state == .waiting)
        #expect(download.expectedContentLength == 10_000_000)
        store.perform(.start, on: [download])
        store.clock.advance(by: 5)
        await store.settle()
        #expect(last("level-1")?.state == .active)
        #expect(last("level-1")?.progress == 0.5)
        #expect(last("level-1")?.timeRemaining == 5)
        store.perform(.pause, on: [download])
        store.clock.advance(by: 60)
        await store.settle()
        #expect(last("level-1")?.state == .paused)
        #expect(last("level-1")?.progress == 0.5)
        store.perform(.resume, on: [download])
        store.clock.advance(by: 5)
        await store.settle()
        #expect(last("level-1")?.state == .finished)
        #expect(last("level-1")?.progress == 1)
        #expect(last("level-1")?.contentURL?.path == "/content/level-1")
        #expect(store.allTransactions.first?.downloads.first?.state == .finished)
    }

    @Test("C02 content fails where it is told to, and can be started anew; what is cancelled stays so")
    func failsAndCancels() async throws {
        let downloads = try await app.purchase(Shop.removeAds).downloads
        store.perform(.start, on: downloads)
        store.clock.advance(by: 7)
        await store.settle()
        #expect(last("level-2")?.state == .failed)
        #expect(last("level-2")?.failure != nil)
        store.perform(.cancel, on: downloads)
        await store.settle()
        #expect(last("level-1")?.state == .cancelled)
        #expect(last("level-2")?.state == .failed)
        store.hostedContent[Shop.removeAds] = [HostedContent(id: "level-2")]
        store.clock.advance(by: 60)
        await store.settle()
        #expect(last("level-1")?.state == .cancelled)
    }

    @Test("C05 without a network a download fails at its next step")
    func offline() async throws {
        let downloads = try await app.purchase(Shop.removeAds).downloads
        store.perform(.start, on: downloads)
        await store.settle()
        store.faults[.downloads].isOffline = true
        store.clock.advance(by: 2)
        store.faults[.downloads].isOffline = false
        await store.settle()
        #expect(last("level-1")?.state == .failed)
    }

    @Test("C02 what is not hosted, or of another account, cannot be downloaded")
    func foreign() async throws {
        var download = try #require(try await app.purchase(Shop.removeAds).downloads.first)
        let other = store.device(named: "tablet", account: "other")
        let otherApp = TestApp(other)
        other.perform(.start, on: [download])
        download.id = "level-9"
        store.perform(.start, on: [download])
        store.perform(.resume, on: [download])
        store.clock.advance(by: 60)
        await store.settle()
        #expect(otherApp.events.isEmpty)
        #expect(last("level-9") == nil)
        #expect(last("level-1") == nil)
    }
}
