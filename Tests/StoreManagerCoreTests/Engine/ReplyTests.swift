import TestSupport
import Testing

@testable import StoreManagerCore

/// The pieces that any thread may touch, as they are.
struct ReplyTests {
    @Test("the first reply counts, before or after somebody awaits it", arguments: [true, false])
    func firstCounts(isEarly: Bool) async throws {
        let reply = Reply<Int>()
        #expect(reply.isOpen)
        let task = isEarly ? nil : Task { try await reply.value }
        #expect(reply.resume(with: .success(1)))
        #expect(!reply.isOpen)
        #expect(!reply.resume(with: .success(2)))
        #expect(!reply.resume(with: .failure(SampleError())))
        let value = if let task { try await task.value } else { try await reply.value }
        #expect(value == 1)
        #expect(!reply.isOpen)
        #expect(!reply.resume(with: .success(3)))
    }

    @Test("of many replies from many threads one counts, and it is the one that arrives")
    func manyThreads() async throws {
        for _ in 0..<50 {
            let reply = Reply<Int>()
            async let value = reply.value
            let counted = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<20 { group.addTask { reply.resume(with: .success(number)) ? number : nil } }
                var counted: [Int] = []
                for await number in group { if let number { counted.append(number) } }
                return counted
            }
            #expect(try await [value] == counted)
        }
    }

    @Test("V05 one answer to a question counts; after a lapse a yes does, and what is closed is closed")
    func questions() {
        let questions = OpenQuestions()
        #expect(!questions.answer("1", .valid))
        let first = questions.open("1")
        #expect(questions.answer("1", .invalid(reason: "a test")))
        #expect(!questions.answer("1", .valid))
        #expect(!questions.lapse(first))
        let second = questions.open("1")
        #expect(!questions.lapse(first))
        #expect(questions.lapse(second))
        #expect(!questions.lapse(second))
        #expect(!questions.answer("1", .invalid(reason: "a test")))
        #expect(!questions.answer("1", .unableToComplete(SampleError())))
        #expect(questions.answer("1", .valid))
        #expect(!questions.answer("1", .valid))
        _ = questions.open("1")
        questions.close("1")
        #expect(!questions.answer("1", .valid))
    }

    @Test("V07 of an answer to an earlier asking only a yes counts, whatever became of that asking")
    func questionsAskedAgain() {
        let questions = OpenQuestions()
        let first = questions.open("1")
        #expect(questions.asking(about: "1") == first)
        #expect(questions.lapse(first))
        let late = questions.asking(about: "1")
        let second = questions.open("1")
        #expect(questions.asking(about: "1") == second)
        for asking in [first, late] {
            #expect(!questions.answer("1", .invalid(reason: "a test"), to: asking))
            #expect(!questions.answer("1", .unableToComplete(SampleError()), to: asking))
        }
        #expect(questions.answer("1", .unableToComplete(SampleError()), to: second))
        for asking in [first, late] {
            _ = questions.open("1")
            #expect(questions.answer("1", .valid, to: asking))
            #expect(!questions.answer("1", .valid, to: asking))
        }
    }

    @Test("the inbox has itself emptied once for all that is posted meanwhile, and keeps the order")
    func inbox() {
        let inbox = Inbox()
        func taken() -> [String]? {
            inbox.takeAll()?.map { if case .answer(let id, _) = $0 { id } else { "" } }
        }
        for round in 0..<3 {
            #expect(inbox.post(.answer("\(round)a", .valid)))
            #expect(!inbox.post(.answer("\(round)b", .valid)))
            #expect(taken() == ["\(round)a", "\(round)b"])
            #expect(!inbox.post(.answer("\(round)c", .valid)))
            #expect(taken() == ["\(round)c"])
            #expect(taken() == nil)
        }
    }
}
