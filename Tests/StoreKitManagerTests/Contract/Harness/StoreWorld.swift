import Testing

/// What a manager may stand on. The contract is the same in all of them, but for what ``StoreGap`` lists.
enum StoreWorld: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The simulated store itself.
    case simulator
    /// StoreKit 2, over the double.
    case storeKit2
    /// StoreKit 1, over the double.
    case storeKit1

    static let all = allCases
    /// Those that Apple made.
    static let storeKits: [StoreWorld] = [.storeKit2, .storeKit1]

    var testDescription: String { rawValue }
}
