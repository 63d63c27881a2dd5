import Foundation

extension SubscriptionTimeline {
    /// The life as a picture, an SVG document: a lane for each product, a box for each period, a flag for each moment, and the
    /// dates below. Hovering over a box tells more.
    public var svg: String {
        let dates = spans.flatMap { [$0.begin, $0.end] } + marks.map(\.date) + [now]
        let scale = Scale(from: dates.min() ?? now, to: dates.max() ?? now)
        let products = spans.map(\.productIdentifier).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let top = Layout.top + Double(marks.count) * Layout.flagHeight
        let bottom = top + Double(products.count) * Layout.laneHeight
        var elements = [
            SVGElement("rect", ["width": "100%", "height": "100%", "fill": "white"]),
            SVGElement("text", ["x": Layout.margin, "y": 28.0, "font-size": 18, "font-weight": "bold"], text: title),
        ]
        for (lane, product) in products.enumerated() {
            let y = top + Double(lane) * Layout.laneHeight
            elements.append(
                SVGElement("text", ["x": Layout.margin, "y": y + 14, "font-size": 12], text: product))
            for span in spans where span.productIdentifier == product {
                elements += Self.boxes(of: span, at: y + 20, scale)
            }
        }
        for (row, mark) in marks.enumerated() {
            elements += Self.flag(mark, at: Layout.top + Double(row) * Layout.flagHeight, to: bottom, scale)
        }
        elements += Self.axis(at: bottom, scale, now: now) + Self.legend(at: bottom + 56, for: Set(spans.map(\.kind)))
        let height = bottom + 76
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Layout.width)" height="\(height)" \
            viewBox="0 0 \(Layout.width) \(height)" font-family="sans-serif">
            \(elements.map(\.description).joined(separator: "\n"))
            </svg>

            """
    }

    /// A box for each period; periods too short to be seen apart make one.
    private static func boxes(of span: Span, at y: Double, _ scale: Scale) -> [SVGElement] {
        let isDense = scale.x(span.end) - scale.x(span.begin) < Double(span.periodCount) * 3
        let edges = isDense ? [span.begin, span.end] : span.boundaries
        return zip(edges, edges.dropFirst()).map { begin, end in
            let left = scale.x(begin)
            let label = span.label.isEmpty ? "" : ", \(span.label)"
            return SVGElement(
                "rect",
                [
                    "x": left, "y": y, "width": max(scale.x(end) - left, 1), "height": Layout.boxHeight,
                    "fill": span.kind.color, "stroke": "white",
                ],
                title: "\(day(begin)) to \(day(end)): \(span.kind.name)\(label)")
        }
    }

    /// A line through all lanes, and what it means above them, each in a row of its own.
    private static func flag(_ mark: Mark, at y: Double, to bottom: Double, _ scale: Scale) -> [SVGElement] {
        let x = scale.x(mark.date)
        let isOnTheRight = x > Layout.width / 2
        return [
            SVGElement(
                "line", ["x1": x, "y1": y, "x2": x, "y2": bottom, "stroke": "dimgray", "stroke-dasharray": "3 3"]),
            SVGElement(
                "text",
                [
                    "x": isOnTheRight ? x - 4 : x + 4, "y": y + 10, "font-size": 11,
                    "text-anchor": isOnTheRight ? "end" : "start",
                ],
                text: "\(mark.text), \(day(mark.date))"),
        ]
    }

    private static func axis(at y: Double, _ scale: Scale, now: Date) -> [SVGElement] {
        let count = 6
        let line = SVGElement(
            "line", ["x1": Layout.margin, "y1": y, "x2": Layout.width - Layout.margin, "y2": y, "stroke": "dimgray"])
        let labels = (0...count).map { index in
            let date = scale.begin + scale.length * Double(index) / Double(count)
            let anchor = index == 0 ? "start" : index == count ? "end" : "middle"
            return SVGElement(
                "text", ["x": scale.x(date), "y": y + 18, "font-size": 11, "text-anchor": anchor], text: day(date))
        }
        let x = scale.x(now)
        let arrow = SVGElement(
            "polygon", ["points": "\(x),\(y) \(x + 5),\(y + 9) \(x - 5),\(y + 9)", "fill": "crimson"],
            title: "now, \(stamp(now))")
        return [line] + labels + [arrow]
    }

    private static func legend(at y: Double, for kinds: Set<Span.Kind>) -> [SVGElement] {
        Span.Kind.allCases.filter { kinds.contains($0) }.enumerated().flatMap { index, kind in
            let x = Layout.margin + Double(index) * 150
            return [
                SVGElement("rect", ["x": x, "y": y - 10, "width": 12, "height": 12, "fill": kind.color]),
                SVGElement("text", ["x": x + 18, "y": y, "font-size": 12], text: kind.name),
            ]
        }
    }
}

/// The measures of the picture, in pixels.
private enum Layout {
    static let width = 960.0
    static let margin = 24.0
    static let top = 44.0
    static let flagHeight = 16.0
    static let laneHeight = 54.0
    static let boxHeight = 26.0
}

/// Where a date lies from left to right.
private struct Scale {
    var begin: Date
    var length: TimeInterval

    init(from begin: Date, to end: Date) {
        self.begin = begin
        length = max(end.timeIntervalSince(begin), 1)
    }

    func x(_ date: Date) -> Double {
        Layout.margin + date.timeIntervalSince(begin) / length * (Layout.width - 2 * Layout.margin)
    }
}

extension SubscriptionTimeline.Span.Kind {
    fileprivate var name: String {
        switch self {
        case .paid: "full price"
        case .offer: "offer"
        case .refunded: "refunded"
        case .grace: "grace period"
        case .retry: "billing retry"
        }
    }

    fileprivate var color: String {
        switch self {
        case .paid: "#2f7d4f"
        case .offer: "#3d7fc4"
        case .refunded: "#b9b9b9"
        case .grace: "#e0a100"
        case .retry: "#d4532a"
        }
    }
}
