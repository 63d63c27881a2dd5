/// Text that stands for bytes (RFC 4648), read strictly: no character too many, no bit that would be ignored.
package enum Base64 {
    /// The characters for the values 62 and 63, and whether the text is filled up with `=`.
    enum Alphabet {
        /// `+`, `/`, filled up.
        case standard
        /// `-`, `_`, not filled up, as in a JWS.
        case url
    }

    /// The bytes that a text stands for.
    ///
    /// - Throws: `MalformedInput` with the offset of the character that is wrong.
    static func decode(
        _ text: ContiguousArray<UInt8>, _ alphabet: Alphabet, ignoringWhitespace: Bool = false
    ) throws -> ContiguousArray<UInt8> {
        try decode(text.span, 0..<text.count, alphabet, ignoringWhitespace: ignoringWhitespace)
    }

    /// The bytes that a part of a text stands for.
    static func decode(
        _ text: Span<UInt8>, _ range: Range<Int>, _ alphabet: Alphabet, ignoringWhitespace: Bool = false
    ) throws -> ContiguousArray<UInt8> {
        let values = alphabet == .standard ? standardValues : urlValues
        var result = ContiguousArray<UInt8>()
        result.reserveCapacity(range.count / 4 * 3 + 3)
        var (bits, bitCount, characters, padding): (UInt32, Int, Int, Int) = (0, 0, 0, 0)
        for offset in range {
            let character = text[offset]
            let value = values[Int(character)]
            if value < 64, padding == 0 {
                bits = bits << 6 | UInt32(value)
                bitCount += 6
                characters += 1
                if bitCount >= 8 {
                    bitCount -= 8
                    result.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                }
            } else if character == UInt8(ascii: "="), alphabet == .standard, characters % 4 + padding < 4,
                characters % 4 > 1
            {
                padding += 1
            } else if !(ignoringWhitespace && isWhitespace(character)) {
                throw MalformedInput("a character that is not base64", at: offset)
            }
        }
        guard bits & (1 << UInt32(bitCount) - 1) == 0, characters % 4 != 1 else {
            throw MalformedInput("the last base64 character stands for no whole byte", at: range.upperBound)
        }
        guard alphabet == .url || (characters + padding) % 4 == 0 else {
            throw MalformedInput("base64 text must be filled up with = to a multiple of four", at: range.upperBound)
        }
        return result
    }

    /// The text without filling that stands for some bytes, in a JWS's alphabet.
    static func urlText(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        func append(_ value: UInt32) { text.unicodeScalars.append(Unicode.Scalar(urlCharacters[Int(value & 0x3F)])) }
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                append(bits >> bitCount)
            }
        }
        if bitCount > 0 { append(bits << (6 - bitCount)) }
        return text
    }

    /// Whether a character may stand between those of a text in lines: a space, a tab or a line break.
    package static func isWhitespace(_ character: UInt8) -> Bool {
        switch character {
        case 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    private static let urlCharacters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let standardValues = values(Array(urlCharacters.dropLast(2)) + Array("+/".utf8))
    private static let urlValues = values(urlCharacters)

    /// For each byte its value as a character, 255 for those that are none.
    private static func values(_ characters: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }
}
