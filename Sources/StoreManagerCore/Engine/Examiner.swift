/// Who of a request is to be asked whether a transaction is genuine; kept until the verdict is final, which may be long after
/// the request itself has ended.
enum Examiner {
    case purchase(PurchaseReceiver)
    case restore(RestoreReceiver, RequestToken)

    /// Asks about one transaction. False: there is nobody to ask here.
    @MainActor
    func ask(about transaction: StoreTransaction, for owner: RequestToken, from manager: StoreManager) -> Bool {
        switch self {
        case .purchase(let receiver): receiver.ask(about: transaction, for: owner, from: manager)
        case .restore(let receiver, let token): receiver.ask(about: [transaction], for: token, from: manager)
        }
    }
}
