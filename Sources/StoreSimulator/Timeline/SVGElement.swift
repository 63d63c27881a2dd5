import Foundation

/// One element of an SVG document.
struct SVGElement: CustomStringConvertible, Sendable {
    private let text: String

    /// Makes an element.
    ///
    /// - Parameters:
    ///   - name: The element's name.
    ///   - attributes: Its attributes; numbers are cut to tenths.
    ///   - text: The text inside, if any.
    ///   - title: What hovering over it shows, if anything.
    init(
        _ name: String, _ attributes: KeyValuePairs<String, any CustomStringConvertible>, text: String = "",
        title: String? = nil
    ) {
        let written = attributes.map { " \($0)=\"\(Self.written($1).escaped)\"" }.joined()
        let hover = title.map { "<title>\($0.escaped)</title>" } ?? ""
        self.text = "<\(name)\(written)>\(text.escaped)\(hover)</\(name)>"
    }

    /// The element as it stands in the document.
    var description: String { text }

    private static func written(_ value: any CustomStringConvertible) -> String {
        guard let number = value as? Double else { return value.description }
        return String((number * 10).rounded() / 10)
    }
}

extension String {
    /// The text with what means something in XML written as text.
    fileprivate var escaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
