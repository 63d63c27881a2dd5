package import StoreManagerCore

extension ManagerFixture {
    /// Has the store list transactions for a restore, in one report, and waits until they are dealt with.
    package func list(_ ids: String..., for token: RequestToken) async {
        await list(ids.map { StoreTransaction.sample($0, of: "p\($0)", .nonConsumable, state: .restored) }, for: token)
    }

    /// Has the store list transactions for a restore, in one report, and waits until they are dealt with.
    package func list(_ transactions: [StoreTransaction], for token: RequestToken) async {
        await report(.transactionsUpdated(transactions.map { StoreTransactionUpdate($0, token: token) }))
    }

    /// What was recorded, without what the store was told and without what has `prefix`.
    package func lines(exceptStoreAnd prefix: String = "store ") -> [String] {
        lines.filter { !$0.hasPrefix("store ") && !$0.hasPrefix(prefix) }
    }
}
