import Foundation
import StoreManagerCore
import StoreSimulator

/// A request of an app, or one of its default receivers, and what it was told.
@MainActor
final class SoakRequest {
    enum Kind: String { case fetch, purchase, restore, standing }
    /// How it is asked for and answered.
    enum Style: CaseIterable { case closures, delegate, awaited }

    let kind: Kind
    let number: Int
    let style: Style
    /// Whether it has a success closure, and one to verify.
    let receivesSuccess: Bool
    let verifies: Bool
    /// Decides what it answers when it is asked.
    var random: SplitMix64

    /// Known when the call that registered it has returned; nil for what is awaited.
    var token: RequestToken?
    /// Whether the call that registered it has returned.
    var isRegistered = false
    /// What was asked for: products of a fetch, the product of a purchase.
    var identifiers: [String] = []
    var options = PurchaseOptions()
    var delegate: SoakDelegate?
    var task: Task<Void, Never>?
    var isCancelled = false
    var isReleased = false
    var wasDeferred = false
    /// What ended it.
    private(set) var ending: String?

    init(_ kind: Kind, _ number: Int, _ style: Style, receivesSuccess: Bool, verifies: Bool, random: SplitMix64) {
        self.kind = kind
        self.number = number
        self.style = style
        self.receivesSuccess = receivesSuccess
        self.verifies = verifies
        self.random = random
    }

    var name: String { kind == .standing ? "receiver-\(number)" : token?.description ?? "\(kind.rawValue)-#\(number)" }

    /// Whether somebody must still be told its end.
    var isOpen: Bool { kind != .standing && ending == nil && !isCancelled && !isReleased }

    /// Whether a store that names no tokens cannot tell one payment from the other.
    func isEqualPayment(to other: SoakRequest) -> Bool {
        kind == .purchase && other.kind == .purchase && identifiers == other.identifiers
            && options.quantity == other.options.quantity
    }

    /// It was told its end. False: it had been before.
    func end(_ line: String) -> Bool {
        guard kind != .standing else { return true }
        defer { ending = ending ?? line }
        return ending == nil
    }

    /// What it says of a transaction; nil: it answers later, or never.
    func verdict() -> VerificationVerdict? {
        switch random.below(10) {
        case 0...5: .valid
        case 6: .invalid(reason: "no")
        case 7: .unableToComplete(SoakError(what: "cannot tell"))
        default: nil
        }
    }
}

/// An error of the soak's own making.
struct SoakError: Error { var what: String }
