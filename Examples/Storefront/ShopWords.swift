/// A line in words. A word with blanks in it stands in double quotes; within them a backslash takes the next character as it is.
struct ShopWords {
    private(set) var words: [String] = []

    /// - Throws: ``ShopError`` for a quote that is not closed.
    init(_ line: String) throws {
        var word: String?
        var isQuoted = false
        var rest = line.makeIterator()
        while let character = rest.next() {
            switch character {
            case "\"":
                isQuoted.toggle()
                word = word ?? ""
            case "\\" where isQuoted:
                if let next = rest.next() { word?.append(next) }
            case let blank where blank.isWhitespace && !isQuoted:
                if let word { words.append(word) }
                word = nil
            default:
                word = (word ?? "") + String(character)
            }
        }
        if isQuoted { throw ShopError("a quote is not closed; right would be \"two words\"") }
        if let word { words.append(word) }
    }
}
