import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

@MainActor
@Suite("Saved stores")
struct StateTests {
    let folder: TemporaryFolder
    let store = SimulatedStore(configuration: Shop.configuration(), seed: 7)
    let app: TestApp
    var file: URL { folder.url.appending(path: "store") }

    init() throws {
        folder = try TemporaryFolder()
        app = TestApp(store)
    }

    private func lines(_ store: SimulatedStore) -> [String] { store.log.map(\.description) }

    /// Something of everything: purchases, a subscription, a wait for approval, a refund, time.
    private func live() async throws {
        let coins = try await app.purchase(Shop.coins)
        _ = try await app.purchase(Shop.magazine)
        store.buyer.nextAnswers = [.ask]
        await app.buy(Shop.coins)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 2, unit: .month))
        await store.settle()
        try store.refundTransaction(identifier: coins.id)
        await store.settle()
    }

    @Test("C04 a saved store is taken up with its whole log, and what is unfinished comes back")
    func resume() async throws {
        try await live()
        try store.save(to: file)
        let resumed = try SimulatedStore(resuming: file)
        #expect(lines(resumed) == lines(store))
        #expect(resumed.clock.now == store.clock.now)
        #expect(resumed.allTransactions == store.allTransactions)
        let unfinished = store.unfinishedTransactions
        let next = TestApp(resumed)
        await resumed.settle()
        #expect(Set(next.unasked) == Set(unfinished))
        let waiting = try #require(resumed.allTransactions.first { $0.state == .deferred })
        try resumed.approveAskToBuyTransaction(identifier: waiting.id)
        await resumed.settle()
        #expect(next.unasked.last?.id == waiting.id)
    }

    @Test("C04 an autosaved store is on disk before the app hears of a purchase")
    func autosave() async throws {
        try store.autosave(to: file)
        let token = app.startBuying(Shop.coins)
        let early = try SimulatedStore(resuming: file)
        #expect(early.allTransactions.map(\.state) == [.purchased])
        #expect(app.answer(to: token).transactions.isEmpty)
        try await live()
        // That the last messages were delivered is saved with the next change.
        store.clock.advance(by: 1)
        let late = try SimulatedStore(resuming: file)
        #expect(lines(late) == lines(store))
        #expect(store.autosaveError == nil)
    }

    @Test("C04 what cannot be saved is not reported")
    func autosaveFails() async throws {
        try store.autosave(to: file)
        try FileManager.default.removeItem(at: folder.url)
        let token = app.startBuying(Shop.coins)
        await store.settle()
        #expect(store.autosaveError != nil)
        #expect(app.answer(to: token).transactions.isEmpty)
    }

    @Test("C04 a recording plays again to the same log, and stops at any step")
    func replay() async throws {
        try await live()
        try store.save(to: file)
        let recording = try StoreRecording(contentsOf: file)
        #expect(recording.log().map(\.description) == lines(store))
        let lengths = (0...recording.stepCount).map { recording.log(afterSteps: $0).count }
        #expect(lengths == lengths.sorted())
        let half = SimulatedStore(replaying: recording, steps: recording.stepCount / 2)
        #expect(lines(store).starts(with: lines(half)))
    }

    @Test("C04 any changed bit and any missing end is an error that names the file")
    func damage() async throws {
        _ = try await app.purchase(Shop.coins)
        try store.save(to: file)
        let whole = try Data(contentsOf: file)
        var generator = SplitMix64(seed: 4)
        for offset in whole.indices where offset < 60 || offset > whole.count - 60 || offset % 211 == 0 {
            var changed = whole
            changed[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            try changed.write(to: file)
            #expect(throws: StoreStateError.self, "byte \(offset)") { try SimulatedStore(resuming: file) }
        }
        for missing in Array(1...60) + Array(stride(from: 61, through: whole.count, by: 173)) {
            try whole.dropLast(missing).write(to: file)
            #expect("without \(missing) bytes") { try SimulatedStore(resuming: file) } throws: {
                "\($0)".contains(file.path)
            }
        }
        try Data("StoreSimulator state 2\n".utf8).write(to: file)
        #expect { try SimulatedStore(resuming: file) } throws: {
            if case StoreStateError.newerFormat(_, 2, 1) = $0 { true } else { false }
        }
        try FileManager.default.removeItem(at: folder.url)
        #expect(throws: StoreStateError.self) { try SimulatedStore(resuming: file) }
    }

    @Test("C04 a line that is missing, repeated, moved or added is an error", arguments: [false, true])
    func chain(autosaved: Bool) async throws {
        if autosaved { try store.autosave(to: file) }
        try await live()
        if !autosaved { try store.save(to: file) }
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let whole = text.split(separator: "\n").map(String.init)
        func expectDamage(_ changed: [String], rest: String = "", _ what: Comment) throws {
            try Data((changed.map { $0 + "\n" }.joined() + rest).utf8).write(to: file)
            #expect(throws: StoreStateError.self, what) { try SimulatedStore(resuming: file) }
        }
        for index in whole.indices.dropLast() {
            var (without, twice, swapped) = (whole, whole, whole)
            without.remove(at: index)
            twice.insert(whole[index], at: index)
            swapped.swapAt(index, index + 1)
            try expectDamage(without, "without line \(index + 1)")
            try expectDamage(twice, "line \(index + 1) twice")
            try expectDamage(swapped, "line \(index + 1) moved")
        }
        try expectDamage(whole + [whole[whole.count - 1]], "the last line twice")
        try expectDamage(whole + [""], "an empty line added")
        try expectDamage(whole + ["garbage"], "a line added")
        try expectDamage(whole, rest: "garbage", "something added")
        try expectDamage(whole, rest: "0123456789abcdef garbage", "something added")
        try Data(text.utf8).write(to: file)
        #expect(lines(try SimulatedStore(resuming: file)) == lines(try SimulatedStore(resuming: file)))
    }

    @Test("C04 an autosaved store whose process was killed while it saved is taken up to its last whole step")
    func killedWhileSaving() throws {
        app.startBuying(Shop.coins)
        try store.autosave(to: file)
        let begin = try Data(contentsOf: file).count
        let early = lines(store)
        try store.buyProduct(identifier: Shop.removeAds)
        store.clock.advance(by: 60)
        let whole = try Data(contentsOf: file)
        var lengths: [Int] = []
        for count in begin...whole.count {
            try whole.prefix(count).write(to: file)
            let log = lines(try SimulatedStore(resuming: file))
            #expect(log.starts(with: early) && lines(store).starts(with: log), "\(count) bytes")
            lengths.append(log.count)
        }
        #expect(lengths == lengths.sorted())
        #expect(lengths.last == store.log.count)
        // Before that it was saved at once, and half of it is damage.
        for count in stride(from: 0, to: begin, by: 97) {
            try whole.prefix(count).write(to: file)
            #expect(throws: StoreStateError.self, "\(count) bytes") { try SimulatedStore(resuming: file) }
        }
    }
}
