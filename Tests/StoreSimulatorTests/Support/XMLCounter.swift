/// Looks at XML as far as the tests need it: whether its elements are closed in order, and how many there are of each name.
struct XMLCounter {
    private(set) var isWellFormed = true
    private(set) var count: [String: Int] = [:]

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
                if !tag.hasSuffix("/") { open.append(name) }
                if tag.split(separator: "\"", omittingEmptySubsequences: false).count % 2 == 0 { isWellFormed = false }
            }
        }
        if !open.isEmpty { isWellFormed = false }
    }
}
