import Testing

/// What a StoreKit cannot give: all the exceptions that there are from the contract. The page WhatEachStoreKitGives of the
/// documentation tells readers the same.
enum StoreGap: CaseIterable, Sendable {
    case opaqueUsernames
    case everyOffer
    case newsOfDeclinedApprovals
    case newsOfInterruptions
    case newsOfRemovals
    case disorder
    case signatures
    case datesOfRefunds
    case newsOfReversals
    case usersOfRestores
    case transactionsOfRestores

    /// Where it is missing, and why.
    var missing: [StoreWorld: String] {
        switch self {
        case .opaqueUsernames: [.storeKit2: "StoreKit 2 takes an account token, which is a UUID, and no user name."]
        case .everyOffer: [.storeKit1: "StoreKit 1 takes promotional offers alone, with the classic signature."]
        case .newsOfDeclinedApprovals:
            [.storeKit2: "StoreKit 2 tells of approvals; of those that are declined it is silent."]
        case .newsOfInterruptions:
            [
                .storeKit2:
                    "StoreKit 2 calls an interrupted purchase pending, and not failed, until it is made after all."
            ]
        case .newsOfRemovals: [.storeKit2: "StoreKit 2 does not tell of transactions that are finished elsewhere."]
        case .disorder:
            [.storeKit1: "StoreKit 1 has one queue, which tells of everything in the order in which it happens."]
        case .signatures: [.storeKit1: "StoreKit 1 does not sign transactions one by one; there is the receipt."]
        case .datesOfRefunds:
            [.storeKit1: "StoreKit 1 tells which products were taken back, and not which purchase, or when."]
        case .newsOfReversals: [.storeKit1: "StoreKit 1 does not tell of refunds that are taken back."]
        case .usersOfRestores: [.storeKit2: "StoreKit 2 restores for an account of the store, and knows no user names."]
        case .transactionsOfRestores:
            [.storeKit1: "StoreKit 1 restores by copies, which have identifiers of their own."]
        }
    }

    /// Skips a test in a world that cannot give this.
    func skip(in world: StoreWorld) throws {
        if let reason = missing[world] { try Test.cancel("\(reason)") }
    }
}
