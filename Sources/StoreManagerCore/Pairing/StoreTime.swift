import Foundation

/// What is known of the store's clock. The device's need not agree with it: people set theirs forward to get on in a game.
struct StoreTime {
    /// How far the device's clock may always be ahead of the store's, in seconds: 5 minutes.
    static let skew: TimeInterval = 300

    /// How far it is ahead at most, as the store's signatures show: none is made later than it is heard.
    private var lead: TimeInterval?

    /// The store signed a word at one date of its clock, and it was heard at another of the device's.
    mutating func hear(signedAt signedDate: Date, at date: Date) {
        let lead = date.timeIntervalSince(signedDate)
        self.lead = min(self.lead ?? lead, lead)
    }

    /// The store's date at a date of the device's, or an earlier one.
    func earliest(for date: Date) -> Date { date - max(lead ?? 0, Self.skew) }
}
