public import Foundation

extension Bundle {
    /// Where the receipt of the app lies, if there is one. Foundation has it on Apple's systems.
    ///
    /// There is a receipt where the store has a signer. It is written when the store is first used, after each purchase that
    /// is reported, and on ``SKReceiptRefreshRequest``.
    public var appStoreReceiptURL: URL? { self == .main ? StoreLink.read { $0.receiptURL } : nil }
}
