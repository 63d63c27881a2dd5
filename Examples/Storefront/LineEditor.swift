/// A line that is being typed, and the lines before it: what each key does to them. It knows no terminal.
///
/// The keys are those of every shell: arrows, Home, End, backspace, delete, Ctrl-A, -E, -U, -K, -C and -D.
struct LineEditor {
    /// What a key led to.
    enum Result: Equatable {
        case editing
        case line(String)
        case end
    }

    private(set) var text: [Character] = []
    /// Where the next character goes, counted from the left.
    private(set) var cursor = 0
    private var history: [String] = []
    /// Which earlier line is shown; the count of them for the new line.
    private var shown = 0
    private var draft: [Character] = []
    private var sequence: [UInt8] = []
    private var character: [UInt8] = []

    /// Takes a byte of the terminal's input.
    mutating func take(_ byte: UInt8) -> Result {
        if !sequence.isEmpty || byte == 0x1B { return takeSequence(byte) }
        switch byte {
        case 0x0A, 0x0D: return finish()
        case 0x01: cursor = 0
        case 0x05: cursor = text.count
        case 0x02: cursor = max(0, cursor - 1)
        case 0x06: cursor = min(text.count, cursor + 1)
        case 0x03: replace(with: [])
        case 0x04 where text.isEmpty: return .end
        case 0x04: deleteForward()
        case 0x08, 0x7F: deleteBackward()
        case 0x0B: text.removeSubrange(cursor...)
        case 0x15:
            text.removeSubrange(..<cursor)
            cursor = 0
        case 0x10: show(shown - 1)
        case 0x0E: show(shown + 1)
        case 0x20...: insert(byte)
        default: break
        }
        return .editing
    }

    private mutating func finish() -> Result {
        let line = String(text)
        if !line.allSatisfy(\.isWhitespace), history.last != line { history.append(line) }
        (text, cursor, shown, draft) = ([], 0, history.count, [])
        return .line(line)
    }

    /// Keys that send several bytes, all of which begin with an escape.
    private mutating func takeSequence(_ byte: UInt8) -> Result {
        sequence.append(byte)
        if sequence.count == 1 || (sequence.count == 2 && (byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O"))) {
            return .editing
        }
        // Numbers and semicolons go on; a letter or a tilde ends it.
        if sequence.count > 2, (0x30...0x3B).contains(byte), sequence.count < 16 { return .editing }
        switch String(decoding: sequence.dropFirst(2), as: UTF8.self) {
        case "A": show(shown - 1)
        case "B": show(shown + 1)
        case "C": cursor = min(text.count, cursor + 1)
        case "D": cursor = max(0, cursor - 1)
        case "H", "1~": cursor = 0
        case "F", "4~": cursor = text.count
        case "3~": deleteForward()
        default: break
        }
        sequence = []
        return .editing
    }

    private mutating func insert(_ byte: UInt8) {
        character.append(byte)
        let length = byte < 0x80 ? 1 : character[0] >= 0xF0 ? 4 : character[0] >= 0xE0 ? 3 : 2
        guard character.count >= length else { return }
        let typed = Array(String(decoding: character, as: UTF8.self))
        character = []
        text.insert(contentsOf: typed, at: cursor)
        cursor += typed.count
    }

    private mutating func deleteBackward() {
        guard cursor > 0 else { return }
        cursor -= 1
        text.remove(at: cursor)
    }

    private mutating func deleteForward() {
        if cursor < text.count { text.remove(at: cursor) }
    }

    private mutating func show(_ number: Int) {
        guard (0...history.count).contains(number), number != shown else { return }
        if shown == history.count { draft = text }
        shown = number
        replace(with: number == history.count ? draft : Array(history[number]))
    }

    private mutating func replace(with text: [Character]) {
        self.text = text
        cursor = text.count
    }
}
