import Testing

/// What a StoreKit cannot give: all the exceptions that there are from the contract, by their rows on the page
/// WhatEachStoreKitGives of the documentation.
enum StoreGap: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case opaqueUsernames = "User name"
    case everyOffer = "Promotional offers in JWS form, win-back offers, statements on the introductory offer"
    case anyOrder = "Which purchase a transaction answers"
    case newsOfDeclinedApprovals = "A purchase that was declined after waiting for approval"
    case newsOfInterruptions = "Who gets an interrupted purchase that was resolved"
    case newsOfRemovals = "A transaction that another component of the app finished"
    case signatures = "Signature"
    case refundedTransactions = "Refunds"
    case restoringForUsers = "Restoring for one user name"

    /// Where it is missing, and why.
    var exception: (world: StoreWorld, reason: String) {
        switch self {
        case .opaqueUsernames: (.storeKit2, "it takes an account token, which is a UUID, and no user name")
        case .everyOffer: (.storeKit1, "a payment has no place for any offer but a promotional one, classically signed")
        case .anyOrder: (.storeKit1, "its one queue shows each payment purchasing first, and pairing goes by that")
        case .newsOfDeclinedApprovals: (.storeKit2, "it tells of approvals, and is silent where there is none")
        case .newsOfInterruptions: (.storeKit2, "an interrupted purchase is pending, and not failed, until it is made")
        case .newsOfRemovals: (.storeKit2, "it does not tell of transactions that were finished elsewhere")
        case .signatures: (.storeKit1, "it does not sign transactions one by one; there is the receipt")
        case .refundedTransactions: (.storeKit1, "it tells which product was taken back, not which purchase of it")
        case .restoringForUsers: (.storeKit2, "it restores for an account of the store, and knows no user names")
        }
    }

    /// Whether a world cannot give this.
    func isMissing(in world: StoreWorld) -> Bool { exception.world == world }

    /// Skips a test in a world that cannot give this.
    func skip(in world: StoreWorld) throws {
        if isMissing(in: world) { try Test.cancel("\(testDescription)") }
    }

    var testDescription: String { "\(rawValue): not in \(exception.world.rawValue), as \(exception.reason)" }
}
