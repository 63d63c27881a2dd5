import Foundation
import StoreManagerCore

/// Where the shop speaks: sentences for people, or a JSON object a line for programs.
struct Output: Sendable {
    let isJSON: Bool
    let isTerminal: Bool

    /// Says something to people.
    func say(_ text: String) {
        if !isJSON { print(text) }
    }

    /// Tells a program what happened.
    ///
    /// - Parameters:
    ///   - event: its name, one of those in the help.
    ///   - date: the store's clock.
    ///   - fields: what else there is to it; nil is left out.
    func emit(_ event: String, at date: Date, _ fields: [String: Any?] = [:]) {
        guard isJSON else { return }
        var object = fields.compactMapValues { $0 }
        object["event"] = event
        object["date"] = date.ISO8601Format()
        guard
            let data = try? JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        else { return }
        print(String(decoding: data, as: UTF8.self))
    }

    /// Reports what could not be done, on standard error.
    func complain(_ problem: String, line: Int) {
        let place = isTerminal ? "" : "line \(line): "
        FileHandle.standardError.write(Data("\(place)\(problem)\n".utf8))
    }

    /// Asks for the next command, on a terminal; a script's command is shown where its answer will stand.
    func prompt() {
        guard isTerminal else { return }
        print("shop> ", terminator: "")
        fflush(nil)
    }

    /// Shows a command of a script, so that what follows can be understood.
    func echo(_ line: String) {
        if !isTerminal, !line.allSatisfy(\.isWhitespace) { say("> \(line)") }
    }
}
