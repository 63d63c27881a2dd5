import Foundation

/// Where the shop speaks: sentences for people, or a JSON object a line for programs. Every line is out when the call returns.
struct Output: Sendable {
    let isJSON: Bool
    let isTerminal: Bool

    /// Says something to people.
    func say(_ text: String) {
        if !isJSON { write("\(text)\n") }
    }

    /// Says something that takes the place of what was said so before, on a terminal; elsewhere only the last of it is said.
    func say(_ text: String, isLast: Bool) {
        if isTerminal {
            say("\r\u{1B}[K\(text)", end: isLast ? "\n" : "")
        } else if isLast {
            say(text)
        }
    }

    /// Tells a program what happened.
    ///
    /// - Parameters:
    ///   - event: its name.
    ///   - date: the store's clock.
    ///   - fields: what else there is to it; nil is left out.
    func emit(_ event: ShopEvent, at date: Date, _ fields: [ShopField: Any?] = [:]) {
        guard isJSON else { return }
        var object: [String: Any] = ["event": event.rawValue, "date": date.ISO8601Format()]
        for case (let field, let value?) in fields { object[field.rawValue] = value }
        guard
            let data = try? JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        else { return }
        write("\(String(decoding: data, as: UTF8.self))\n")
    }

    /// Reports what could not be done, on standard error.
    func complain(_ problem: String, line: Int) {
        let place = isTerminal ? "" : "line \(line): "
        FileHandle.standardError.write(Data("\(place)\(problem)\n".utf8))
    }

    /// Shows a command of a script, so that what follows can be understood.
    func echo(_ line: String) {
        if !isTerminal, !line.allSatisfy(\.isWhitespace) { say("> \(line)") }
    }

    private func say(_ text: String, end: String) {
        if !isJSON { write(text + end) }
    }

    private func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}
