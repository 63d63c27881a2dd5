/// Looks at XML as far as the tests need it: whether its elements are closed in order, how many there are of each name, and
/// what they say.
struct XMLCounter {
    private(set) var isWellFormed = true
    private(set) var count: [String: Int] = [:]
    private(set) var elements: [Element] = []

    struct Element {
        var name: String
        var attributes: [String: String]
        /// The text before the first element inside.
        var text: String
    }

    init(_ text: String) {
        var open: [String] = []
        for piece in text.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
            guard let end = piece.firstIndex(of: ">") else {
                isWellFormed = false
                return
            }
            let tag = piece[..<end]
            let name = String(tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber })
            if tag.hasPrefix("/") {
                if open.popLast() != name { isWellFormed = false }
            } else {
                count[name, default: 0] += 1
                let words = tag.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
                let names = words.indices.filter { $0 % 2 == 0 && $0 + 1 < words.count }.map { index in
                    (String(words[index].dropLast().split(separator: " ").last ?? ""), words[index + 1])
                }
                let attributes = Dictionary(names, uniquingKeysWith: { first, _ in first })
                elements.append(Element(name: name, attributes: attributes, text: String(piece[end...].dropFirst())))
                if !tag.hasSuffix("/") { open.append(name) }
                if tag.split(separator: "\"", omittingEmptySubsequences: false).count % 2 == 0 { isWellFormed = false }
            }
        }
        if !open.isEmpty { isWellFormed = false }
    }
}
