import Foundation

/// Where the commands come from: a script on standard input, or a person at a terminal, who can edit the line and go back to
/// earlier ones.
struct Input {
    private let isTerminal: Bool
    private var editor = LineEditor()
    private static let prompt = "shop> "

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    /// The next line; nil at the end.
    mutating func nextLine() -> String? {
        guard isTerminal, let terminal = RawTerminal() else { return readLine() }
        defer { terminal.restore() }
        draw()
        while let byte = terminal.nextByte() {
            switch editor.take(byte) {
            case .editing: draw()
            case .line(let line):
                write("\r\n")
                return line
            case .end:
                write("\r\n")
                return nil
            }
        }
        return nil
    }

    private func draw() {
        let back = editor.text.count - editor.cursor
        write("\r\u{1B}[K\(Self.prompt)\(String(editor.text))" + (back > 0 ? "\u{1B}[\(back)D" : ""))
    }

    private func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}

/// A terminal that hands over each key as it is pressed, until it is restored.
private struct RawTerminal {
    private let before: termios

    /// Nil where standard input is no terminal.
    init?() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    }

    func restore() {
        var settings = before
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
    }
}
