public import Foundation
import StoreManagerCore

/// The life of one account's subscription of a group, to draw: ``text`` for a terminal, ``svg`` for a picture.
public struct SubscriptionTimeline: Hashable, Sendable {
    /// A stretch of time.
    public struct Span: Hashable, Sendable {
        /// What it was.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// Paid for at the full price.
            case paid
            /// Paid for at a reduced price, or for nothing.
            case offer
            /// Paid for, and the money was given back.
            case refunded
            /// A renewal failed, and access went on.
            case grace
            /// A renewal failed, and the store tried to charge.
            case retry
        }

        /// What it was.
        public var kind: Kind
        /// The product.
        public var productIdentifier: String
        /// Where each of its periods begins, and where the last one ends.
        public var boundaries: [Date]
        /// What it cost, or which offer it was; empty for trouble with billing.
        public var label: String

        /// Where it begins.
        public var begin: Date { boundaries.first ?? .distantPast }
        /// Where it ends.
        public var end: Date { boundaries.last ?? .distantPast }
        /// How many periods it has.
        public var periodCount: Int { max(0, boundaries.count - 1) }
    }

    /// A moment.
    public struct Mark: Hashable, Sendable {
        /// When.
        public var date: Date
        /// What happened, in a few words.
        public var text: String
    }

    /// What it is the life of.
    public var title: String
    /// What was paid for, and where billing failed, in the order of time.
    public var spans: [Span]
    /// What happened besides, in the order of time.
    public var marks: [Mark]
    /// The store's time.
    public var now: Date
}

extension SimulatedBackend {
    /// The life of the account's subscription of the group that a product belongs to; nil where it never had one.
    public func timeline(ofGroupOf productIdentifier: String) -> SubscriptionTimeline? {
        store.engine.timeline(ofGroupOf: productIdentifier, account: accountIndex)
    }
}

extension StoreEngine {
    /// The life of an account's subscription.
    func timeline(ofGroupOf identifier: String, account: Int) -> SubscriptionTimeline? {
        guard let groupID = catalogue.product(identifier)?.subscription?.groupID else { return nil }
        let records = records(of: account).filter {
            $0.standing == .paid && !$0.isCopy && product(of: $0).subscription?.groupID == groupID
        }
        guard !records.isEmpty else { return nil }
        let indices = accounts[account].subscriptions.map { Int($0) }.filter { group(ofSubscription: $0) == groupID }
        let spans = records.map { span(of: $0) } + indices.flatMap { troubles(of: $0) }
        let marks: [SubscriptionTimeline.Mark] =
            records.flatMap { moments(of: $0) } + indices.flatMap { endings(of: $0) }
            + indices.compactMap { outlook(of: $0) }
        let name = catalogue.configuration.subscriptionGroups.first { $0.id == groupID }?.name ?? ""
        return SubscriptionTimeline(
            title: "\(name.isEmpty ? groupID : name) of \(accounts[account].name)",
            spans: spans.sorted { ($0.begin, $0.end) < ($1.begin, $1.end) }, marks: marks.sorted { $0.date < $1.date },
            now: now)
    }

    private func span(of record: PurchaseRecord) -> SubscriptionTimeline.Span {
        let terms = termsTable[record.terms]
        let dates = (0..<record.count).map { purchaseDate($0, of: record) }
        let end = expirationDate(record.count - 1, of: record)
        let price = terms.text(of: terms.price)
        return SubscriptionTimeline.Span(
            kind: record.details?.revocationDate != nil ? .refunded : terms.offer != nil ? .offer : .paid,
            productIdentifier: product(of: record).id, boundaries: dates + (end.map { [$0] } ?? []),
            label: terms.offer.map { "\($0.name), \(price)" } ?? price)
    }

    private func troubles(of index: Int) -> [SubscriptionTimeline.Span] {
        let present = subscriptions[index].trouble.map {
            Subscription.PastTrouble(
                product: subscriptions[index].product, begin: $0.begin, graceEnd: $0.graceEnd.map { min($0, now) },
                end: now)
        }
        let troubles = (subscriptions[index].special?.troubles ?? []) + (present.map { [$0] } ?? [])
        return troubles.flatMap { trouble -> [SubscriptionTimeline.Span] in
            let graceEnd = trouble.graceEnd ?? trouble.begin
            let stretches: [(SubscriptionTimeline.Span.Kind, Date, Date)] = [
                (.grace, trouble.begin, graceEnd), (.retry, graceEnd, trouble.end),
            ]
            return stretches.filter { $0.1 < $0.2 }.map {
                SubscriptionTimeline.Span(
                    kind: $0.0, productIdentifier: catalogue[Int(trouble.product)].id, boundaries: [$0.1, $0.2],
                    label: "")
            }
        }
    }

    private func moments(of record: PurchaseRecord) -> [SubscriptionTimeline.Mark] {
        let (terms, identifier) = (termsTable[record.terms], product(of: record).id)
        var marks: [SubscriptionTimeline.Mark] = []
        if let date = record.details?.revocationDate {
            let amount = record.details?.refundedAmount.map { ", \(terms.text(of: $0)) given back" } ?? ""
            let what = record.isFamilyShared ? "share taken back" : "refunded"
            marks.append(.init(date: date, text: "\(what): \(identifier)\(amount)"))
        }
        if record.isUpgraded, let date = record.cutOff {
            let amount = record.details?.proratedAmount.map { ", \(terms.text(of: $0)) given back" } ?? ""
            marks.append(.init(date: date, text: "upgraded from \(identifier)\(amount)"))
        }
        return marks
    }

    /// How it ended, each time. A share of the family's ends with its organizer's.
    private func endings(of index: Int) -> [SubscriptionTimeline.Mark] {
        let endings = subscriptions[Int(subscriptions[index].special?.leader ?? Int32(index))].special?.endings ?? []
        return endings.map { .init(date: $0.date, text: "ended: \($0.reason.name)") }
    }

    /// What comes next.
    private func outlook(of index: Int) -> SubscriptionTimeline.Mark? {
        let subscription = subscriptions[index]
        return switch subscription.phase {
        case .active where subscription.renews:
            .init(
                date: subscription.expiration,
                text: "renews as \(catalogue[Int(subscription.nextProduct)].id)")
        case .active: .init(date: subscription.expiration, text: "ends")
        case .grace, .retry, .expired, .revoked: nil
        }
    }
}

extension Terms {
    /// An amount with the currency.
    fileprivate func text(of amount: Decimal) -> String { currency.map { "\(amount) \($0)" } ?? "\(amount)" }
}

extension StoreRedeemedOffer {
    /// The offer in a word or two.
    fileprivate var name: String {
        let kind =
            switch type {
            case .introductory: "introductory offer"
            case .promotional: "offer"
            case .code: "code"
            case .winBack: "win-back offer"
            }
        return id.map { "\(kind) \($0)" } ?? kind
    }
}
