import Foundation

extension SubscriptionTimeline {
    /// The life in lines, the oldest first, each with its date; a run of equal periods is one line.
    public var text: String {
        let lines =
            spans.map { ($0.begin, 0, "\($0.kind.sign) \($0.sentence)") } + marks.map { ($0.date, 1, "◆ \($0.text)") }
        let ordered = lines.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        var result = [title]
        var hasPassedNow = false
        for (date, _, line) in ordered {
            if !hasPassedNow, date > now {
                result.append("\(Self.stamp(now))  ─ now")
                hasPassedNow = true
            }
            result.append("\(Self.stamp(date))  \(line)")
        }
        if !hasPassedNow { result.append("\(Self.stamp(now))  ─ now") }
        return result.joined(separator: "\n") + "\n"
    }

    /// A date to the minute, in UTC.
    static func stamp(_ date: Date) -> String {
        String(CivilDate(date).description.prefix(16)).replacing("T", with: " ")
    }

    /// A date to the day, in UTC.
    static func day(_ date: Date) -> String { String(CivilDate(date).description.prefix(10)) }
}

extension SubscriptionTimeline.Span {
    /// The span in a sentence.
    var sentence: String {
        let periods = periodCount > 1 ? "\(periodCount) periods of " : ""
        let price = label.isEmpty ? "" : " at \(label)"
        let end = SubscriptionTimeline.stamp(end)
        return switch kind {
        case .paid, .offer: "\(periods)\(productIdentifier)\(price) until \(end)"
        case .refunded: "\(periods)\(productIdentifier)\(price) until \(end), refunded"
        case .grace: "renewal failed, access goes on until \(end)"
        case .retry: "renewal failed, no access until \(end)"
        }
    }
}

extension SubscriptionTimeline.Span.Kind {
    /// The sign in front of a line.
    fileprivate var sign: String {
        switch self {
        case .paid: "█"
        case .offer: "▓"
        case .refunded: "✕"
        case .grace: "▒"
        case .retry: "░"
        }
    }
}
