import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import StoreManagerCore

/// What a manager is to do later: as a value, and as a manager does it.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct TimerTableTests {
    let shop = ManagerFixture()
    let recorder = Recorder()

    private func start(_ name: String, after seconds: TimeInterval) -> TimerTable.Timer {
        shop.manager.startTimer(after: seconds) { _ in recorder.record(name) }
    }

    @Test("timers are due in the order of their deadlines, equal ones in the order in which they were started")
    func order() async {
        for (name, seconds) in [("c", 3.0), ("a1", 1), ("a2", 1), ("d", 3), ("b", 2), ("z", 0)] {
            _ = start(name, after: seconds)
        }
        await shop.manager.settle()
        #expect(recorder.lines == ["z"])
        await shop.advance(by: 2)
        #expect(recorder.lines == ["z", "a1", "a2", "b"])
        await shop.advance(by: 100)
        #expect(recorder.lines == ["z", "a1", "a2", "b", "c", "d"])
    }

    @Test("a cancelled timer does nothing, also where another that is due with it cancels it")
    func cancelling() async {
        let first = start("first", after: 1)
        let third = start("third", after: 2)
        shop.manager.startTimer(after: 1) { _ in third.cancel() }
        _ = start("last", after: 3)
        first.cancel()
        await shop.advance(by: 3)
        #expect(recorder.lines == ["last"])
    }

    @Test("what is posted is dealt with before what is due: an answer in hand is in time")
    func answersGoFirst() async {
        _ = start("due", after: 1)
        shop.manager.post(.perform { [recorder] _ in recorder.record("posted") })
        shop.clock.advance(by: 1)
        await shop.manager.settle()
        #expect(recorder.lines == ["posted", "due"])
    }

    @Test("a timer may start another one, and one alarm serves them all")
    func oneAlarm() async {
        for seconds in 1...50 { _ = start("\(seconds)", after: TimeInterval(seconds)) }
        shop.manager.startTimer(after: 60) { manager in manager.startTimer(after: 5) { _ in recorder.record("later") } }
        await shop.manager.settle()
        await shop.advance(by: 60)
        #expect(recorder.lines.count == 50)
        await shop.advance(by: 5)
        #expect(recorder.lines.last == "later")
        #expect(shop.manager.timers.nextDeadline() == nil)
    }

    @Test("timers are done when their time comes, though nothing else happens")
    func alarm() async {
        for seconds in 1...3 { _ = start("\(seconds)", after: TimeInterval(seconds)) }
        for seconds in 1...3 {
            shop.clock.advance(by: 1)
            await recorder.wait(for: "\(seconds)")
        }
        #expect(recorder.lines == ["1", "2", "3"])
    }

    @Test("F09 M03 a cancelled timer holds nothing, and thousands of them take no room")
    func cancelledTimersAreForgotten() {
        final class Object: Sendable {}
        var table = TimerTable()
        weak var released: Object?
        for number in 0..<10_000 {
            let object = Object()
            released = object
            let timer = table.add(at: .start + Double(number % 100)) { _ in _ = object }
            timer.cancel()
        }
        #expect(released == nil)
        #expect(table.count <= 64)
        #expect(table.nextDeadline() == nil)
        #expect(table.count == 0)
    }

    @Test("a short timer costs the same behind 100,000 long ones as behind none", .timeLimit(.minutes(20)))
    func shortBehindLong() {
        var table = TimerTable()
        for number in 0..<100_000 { _ = table.add(at: .start + 1_000 + Double(number % 7)) { _ in } }
        for number in 0..<100_000 {
            let deadline = Date.start + Double(number) / 1_000
            _ = table.add(at: deadline) { _ in }
            #expect(table.nextDeadline() == deadline)
            #expect(table.takeDue(by: deadline).count == 1)
        }
        #expect(table.count == 100_000)
    }

    @Test("equal deadlines keep the order of arrival, whatever else comes and goes")
    func equalDeadlines() {
        var table = TimerTable()
        var generator = SplitMix64(seed: 5)
        var timers: [TimerTable.Timer] = []
        for _ in 0..<1_000 {
            timers.append(table.add(at: .start + Double(Int.random(in: 0..<5, using: &generator))) { _ in })
        }
        for deadline in 0..<5 {
            let expected = timers.filter { $0.deadline == .start + Double(deadline) }
            let due = table.takeDue(by: .start + Double(deadline))
            #expect(due.count == expected.count && zip(due, expected).allSatisfy { $0 === $1 })
        }
    }

    @Test("a sorted table stays sorted whatever is added and cancelled")
    func randomly() {
        var table = TimerTable()
        var generator = SplitMix64(seed: 3)
        var expected: [Date] = []
        for _ in 0..<2_000 {
            let deadline = Date.start + Double(Int.random(in: 0..<500, using: &generator))
            let timer = table.add(at: deadline) { _ in }
            if Int.random(in: 0..<3, using: &generator) == 0 { timer.cancel() } else { expected.append(deadline) }
        }
        expected.sort()
        #expect(table.nextDeadline() == expected.first)
        let due = table.takeDue(by: .start + 250).filter { $0.work != nil }.map(\.deadline)
        #expect(due == expected.filter { $0 <= .start + 250 })
        #expect(
            table.takeDue(by: .distantFuture).filter { $0.work != nil }.map(\.deadline)
                == expected.filter { $0 > .start + 250 })
        #expect(table.count == 0)
    }
}
