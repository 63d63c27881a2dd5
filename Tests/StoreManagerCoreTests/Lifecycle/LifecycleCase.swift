import Foundation
import TestSupport

@testable import StoreManagerCore

/// A lifecycle and what happens to it next, in the words of ``LifecycleTable``.
struct LifecycleCase: CustomStringConvertible {
    let lifecycle: TransactionLifecycle
    let input: TransactionLifecycle.Input
    let inputName: String

    /// Whether a condition of the table holds here.
    func fulfils(_ condition: String) -> Bool {
        if condition.hasPrefix("!") { return !fulfils(String(condition.dropFirst())) }
        return switch condition {
        case "same": isSame
        case "other": !isSame
        case "repeated": lifecycle.transaction?.deliveryState == input.arrivingTransaction?.deliveryState
        case "request", "unasked", "restore": lifecycle.origin.rawValue == condition
        case "manual": lifecycle.finishesManually
        case "gone": lifecycle.isRemoved
        case "finishes": !lifecycle.finishesManually && !lifecycle.isRemoved
        case "told": lifecycle.hasToldTrouble
        case "noticed": lifecycle.hasToldWaiting
        case "trusted": !isUnverified
        case "unverified": isUnverified
        case "withdrawn": isWithdrawn
        case "standing": !isWithdrawn
        case "bought": lifecycle.transaction?.state == .purchased
        case "owned": lifecycle.transaction?.state == .restored
        case "consumable", "nonConsumable", "autoRenewable": lifecycle.transaction?.productType.rawValue == condition
        case "success": lifecycle.outcome?.isSuccess == true
        case "refusal": lifecycle.outcome?.isSuccess == false
        case "withdrawal": lifecycle.outcome?.isWithdrawal == true
        case "upgrade": lifecycle.outcome?.isForNobody == true
        default: preconditionFailure("The table has a condition \"\(condition)\" that nobody knows.")
        }
    }

    private var isUnverified: Bool {
        if case .unverified = input.arrivingTransaction?.storeVerification { true } else { false }
    }

    /// Whether the store says of the transaction what it said before.
    private var isSame: Bool {
        lifecycle.transaction?.deliveryState == input.arrivingTransaction?.deliveryState
            && lifecycle.transaction?.storeVerification == input.arrivingTransaction?.storeVerification
    }

    private var isWithdrawn: Bool {
        (input.arrivingTransaction ?? lifecycle.transaction)?.deliveryState.grants == false
    }

    /// Where it stands, which input comes, and all conditions that hold.
    var description: String {
        let conditions = [
            "same", "other", "repeated", "request", "unasked", "restore", "manual", "gone", "finishes", "told",
            "noticed",
            "trusted", "unverified",
            "withdrawn", "standing", "bought", "owned", "consumable", "nonConsumable", "autoRenewable", "success",
            "refusal", "withdrawal", "upgrade",
        ]
        return "\(lifecycle.phase) \(inputName): " + conditions.filter(fulfils).joined(separator: " ")
    }
}

/// A line of ``LifecycleTable``.
struct LifecycleRule: Hashable {
    var line: String
    var phases: [String]
    var input: String
    var conditions: [String]
    var next: [String]
    var effects: [String]

    /// The lines that may apply to an input in a phase, by both.
    static let byPhaseAndInput: [Key: [LifecycleRule]] = {
        var rules: [Key: [LifecycleRule]] = [:]
        for rule in all {
            for phase in rule.phases { rules[Key(phase: phase, input: rule.input), default: []].append(rule) }
        }
        return rules
    }()

    /// A phase and an input, by name.
    struct Key: Hashable {
        var phase: String
        var input: String
    }

    /// All lines of the table.
    static var all: [LifecycleRule] {
        LifecycleTable.text.split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") && !$0.isEmpty }.compactMap(LifecycleRule.init)
    }

    private init?(_ line: String) {
        let sides = line.components(separatedBy: " -> ")
        let left = sides[0].split(separator: "|").map { $0.split(separator: " ").map(String.init) }
        guard sides.count == 2, let colon = sides[1].firstIndex(of: ":"), left.count == 2, let input = left[1].first
        else { return nil }
        self.line = line
        phases = left[0].flatMap { (LifecycleTable.groups[$0] ?? $0).split(separator: " ").map(String.init) }
        self.input = input
        conditions = Array(left[1].dropFirst())
        next = sides[1][..<colon].split(separator: " ").map(String.init)
        effects = sides[1][colon...].dropFirst().components(separatedBy: ",").map { $0.trimmed }.filter { !$0.isEmpty }
    }

    /// What the line says of a case: the state that follows, and the effects.
    func expectation(for before: LifecycleState) -> (state: LifecycleState, effects: [String]) {
        var expected = before
        for word in next {
            switch word {
            case "SAME": break
            case "request", "unasked", "restore": expected.origin = word
            case "gone": expected.isRemoved = true
            case "told": expected.hasToldTrouble = true
            case "untold": expected.hasToldTrouble = false
            case "noticed": expected.hasToldWaiting = true
            default: expected.phase = word
            }
        }
        return (expected, effects.map { $0.replacingOccurrences(of: "OUTCOME", with: before.outcome) })
    }
}

/// All that makes one lifecycle different from another.
struct LifecycleState: Hashable {
    var phase: String
    var origin: String
    var finishesManually: Bool
    var isRemoved: Bool
    var hasToldTrouble: Bool
    var hasToldWaiting: Bool
    var transaction: Kind?
    var outcome: String

    /// What tells the transactions of the samples from each other.
    struct Kind: Hashable {
        var type: StoreProductType
        var state: StoreTransactionState
        var revocationDate: Date?
        var isUpgraded: Bool
        var verification: StoreVerification
        var context: PurchaseContext?

        init(_ transaction: StoreTransaction) {
            type = transaction.productType
            state = transaction.state
            revocationDate = transaction.revocationDate
            isUpgraded = transaction.isUpgraded
            verification = transaction.storeVerification
            context = transaction.context
        }
    }

    init(_ lifecycle: TransactionLifecycle) {
        phase = lifecycle.phase.rawValue
        origin = lifecycle.origin.rawValue
        finishesManually = lifecycle.finishesManually
        isRemoved = lifecycle.isRemoved
        hasToldTrouble = lifecycle.hasToldTrouble
        hasToldWaiting = lifecycle.hasToldWaiting
        transaction = lifecycle.transaction.map(Kind.init)
        outcome = lifecycle.outcome?.name ?? "nothing"
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
