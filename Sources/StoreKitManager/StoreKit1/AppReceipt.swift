import Foundation

#if !canImport(Darwin)
@_spi(StoreKitDouble) import StoreKit
#endif

/// Where the app receipt lies. The way of Apple's systems could not be run here.
@MainActor
enum AppReceipt {
    static var url: URL? {
        #if canImport(Darwin)
        Bundle.main.appStoreReceiptURL
        #else
        // Foundation has no receipt on this host, so the double of StoreKit says.
        StoreKitDouble.receiptURL
        #endif
    }
}
