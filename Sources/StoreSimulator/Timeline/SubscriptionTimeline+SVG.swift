import Foundation

extension SubscriptionTimeline {
    /// The life as a picture, an SVG document: a lane for each product, a box for each period with trouble beneath, a flag for
    /// each offer and each moment, and the dates below, at the ends of periods. Hovering over a box tells more.
    public var svg: String {
        let flags = (marks.map(\.flag) + spans.compactMap(\.offerFlag)).sorted { $0.date < $1.date }
        let dates = spans.flatMap { [$0.begin, $0.end] } + marks.map(\.date) + [now]
        let scale = Scale(from: dates.min() ?? now, to: dates.max() ?? now)
        let products = spans.map(\.productIdentifier).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let top = Layout.top + Double(flags.count) * Layout.flagHeight
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
        for (row, flag) in flags.enumerated() {
            elements += Self.flag(flag, at: Layout.top + Double(row) * Layout.flagHeight, to: bottom, scale)
        }
        let boundaries = (spans.flatMap(\.boundaries) + marks.map(\.date)).sorted()
        elements +=
            Self.axis(at: bottom, scale, boundaries, now: now)
            + Self.legend(at: bottom + 56, for: Set(spans.map(\.kind)))
        let height = bottom + 76
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Layout.width)" height="\(height)" \
            viewBox="0 0 \(Layout.width) \(height)" font-family="sans-serif">
            \(elements.map(\.description).joined(separator: "\n"))
            </svg>

            """
    }

    /// A box for each period; periods too short to be seen apart make one. Trouble is drawn beneath, for a period that was paid
    /// in the end lies over it. What it cost stands in the first box that has room for it.
    private static func boxes(of span: Span, at y: Double, _ scale: Scale) -> [SVGElement] {
        let isDense = scale.x(span.end) - scale.x(span.begin) < Double(span.periodCount) * 3
        let edges = isDense ? [span.begin, span.end] : span.boundaries
        let isTrouble = span.kind == .grace || span.kind == .retry
        let boxes = zip(edges, edges.dropFirst()).map { begin, end in
            let (left, width) = (scale.x(begin), scale.x(end) - scale.x(begin))
            let label = span.label.isEmpty ? "" : ", \(span.label)"
            return SVGElement(
                "rect",
                [
                    // A gap between boxes, where there is room for it.
                    "x": left, "y": isTrouble ? y + Layout.boxHeight + 2 : y,
                    "width": max(width > 4 ? width - 1 : width, 1),
                    "height": isTrouble ? Layout.troubleHeight : Layout.boxHeight, "fill": span.kind.color,
                ],
                title: "\(stamp(begin)) to \(stamp(end)): \(span.kind.name)\(label)")
        }
        let roomy = zip(edges, edges.dropFirst()).first { scale.x($1) - scale.x($0) > Layout.width(of: span.label) }
        guard !span.label.isEmpty, let roomy else { return boxes }
        let text = SVGElement(
            "text", ["x": scale.x(roomy.0) + 4, "y": y + 16, "font-size": 10, "fill": "white"], text: span.label)
        return boxes + [text]
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
                text: mark.text),
        ]
    }

    /// The dates at which something begins or ends, as many as there is room for.
    private static func axis(at y: Double, _ scale: Scale, _ boundaries: [Date], now: Date) -> [SVGElement] {
        let line = SVGElement(
            "line", ["x1": Layout.margin, "y1": y, "x2": Layout.width - Layout.margin, "y2": y, "stroke": "dimgray"])
        var ticks: [Double] = []
        var labels: [SVGElement] = []
        // The ends first, then what fits between.
        for date in [boundaries.first, boundaries.last].compactMap(\.self) + boundaries {
            let x = scale.x(date)
            guard ticks.allSatisfy({ abs($0 - x) >= Layout.dateWidth }) else { continue }
            ticks.append(x)
            let isAtEdge = (x < Layout.margin + 30, x > Layout.width - Layout.margin - 30)
            labels += [
                SVGElement("line", ["x1": x, "y1": y, "x2": x, "y2": y + 5, "stroke": "dimgray"]),
                SVGElement(
                    "text",
                    [
                        "x": x, "y": y + 18, "font-size": 11,
                        "text-anchor": isAtEdge.0 ? "start" : isAtEdge.1 ? "end" : "middle",
                    ], text: day(date)),
            ]
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
    static let laneHeight = 62.0
    static let boxHeight = 24.0
    static let troubleHeight = 8.0
    /// The room for a date, and a little more.
    static let dateWidth = 78.0

    /// About how wide a text in a box is.
    static func width(of text: String) -> Double { Double(text.count) * 6 + 8 }
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

extension SubscriptionTimeline.Span {
    /// What is said of an offer, and until when it ran; nil for anything else.
    fileprivate var offerFlag: SubscriptionTimeline.Mark? {
        guard kind == .offer else { return nil }
        let dates = [begin, end].map(SubscriptionTimeline.day)
        return .init(date: begin, text: "\(label), \(dates[0]) to \(dates[1])")
    }
}

extension SubscriptionTimeline.Mark {
    /// The moment with its date.
    fileprivate var flag: Self { .init(date: date, text: "\(text), \(SubscriptionTimeline.day(date))") }
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
