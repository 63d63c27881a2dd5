import Testing

@testable import Storefront

@Suite("The line that is typed into the shop")
struct LineEditorTests {
    private func text(after keys: String, in editor: inout LineEditor) -> String {
        for byte in keys.utf8 { _ = editor.take(byte) }
        return String(editor.text)
    }

    @Test(
        "Keys edit the line as in a shell",
        arguments: [
            ("buy", "buy"), ("buz\u{7F}y", "buy"), ("uy\u{01}b", "buy"), ("by\u{1B}[Du", "buy"),
            ("bu\u{1B}[D\u{1B}[D\u{1B}[C\u{1B}[Cy", "buy"), ("xbuy\u{1B}[H\u{1B}[3~", "buy"), ("uy\u{1B}[1~b", "buy"),
            ("uy\u{01}b\u{05}!", "buy!"), ("uy\u{1B}OHb\u{1B}OF!", "buy!"), ("xxx\u{15}buy", "buy"),
            ("buyxx\u{02}\u{02}\u{0B}", "buy"), ("xxx\u{03}buy", "buy"), ("caf\u{E9}\u{7F}\u{E9}", "caf\u{E9}"),
            ("a🙂b\u{1B}[D\u{7F}", "ab"), ("\u{7F}\u{1B}[D\u{1B}[C\u{1B}[A\u{1B}[Bbuy", "buy"),
            ("b\u{1B}[1;5Cu\u{1B}[99~y", "buy"), ("b\u{07}uy", "buy"),
        ])
    func editing(keys: String, line: String) {
        var editor = LineEditor()
        #expect(text(after: keys, in: &editor) == line)
        #expect(editor.take(0x0D) == .line(line))
        #expect(editor.text.isEmpty && editor.cursor == 0)
    }

    @Test("The arrows go back to earlier lines, and forward to the one that was being typed")
    func history() {
        var editor = LineEditor()
        _ = text(after: "list\rbuy coins\r\r   \rbuy coins\r", in: &editor)
        #expect(text(after: "ow\u{1B}[A", in: &editor) == "buy coins")
        #expect(text(after: "\u{1B}[A", in: &editor) == "list")
        #expect(text(after: "\u{1B}[A", in: &editor) == "list")
        #expect(text(after: "\u{1B}[B\u{1B}[B", in: &editor) == "ow")
        #expect(text(after: "\u{10}!", in: &editor) == "buy coins!")
    }

    @Test("Ctrl-D ends an empty line, and deletes in another")
    func end() {
        var editor = LineEditor()
        #expect(text(after: "ab\u{01}\u{04}", in: &editor) == "b")
        _ = text(after: "\u{15}\u{7F}\u{05}\u{7F}", in: &editor)
        #expect(editor.take(0x04) == .end)
    }

    @Test("Whatever bytes come, nothing is lost but the bytes", arguments: 0..<20 as Range<UInt64>)
    func anything(seed: UInt64) {
        var editor = LineEditor()
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            _ = editor.take(UInt8(truncatingIfNeeded: state >> 33))
            #expect((0...editor.text.count).contains(editor.cursor), "seed \(seed)")
        }
    }
}
