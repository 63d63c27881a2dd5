package import Foundation

/// Something that reads what comes from outside, and must not trap, hang or run out of memory whatever that is.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The `.storekit` loader, and what is made of a catalogue.
    case configuration
    /// The DER and BER reader.
    case asn1
    /// The decoder of app receipts, and their verification.
    case receipt
    /// The decoders of signed data, and their verification.
    case jws
    /// The decoder of what `verifyReceipt` answers.
    case verifyreceipt
    /// The ledger's file.
    case ledger
    /// The shop in the terminal: a script of commands.
    case storefront

    /// Has the bytes read. That they cannot be is no fault; that something traps on the way is.
    @MainActor
    package func read(_ bytes: Data) async {
        switch self {
        case .configuration: readConfiguration(bytes)
        case .asn1: readElements(bytes)
        case .receipt: readReceipt(bytes)
        case .jws: readSignedData(bytes)
        case .verifyreceipt: readServerAnswer(bytes)
        case .ledger: readLedger(bytes)
        case .storefront: await serve(bytes)
        }
    }
}

/// Something that could not be read says so in words; making them must not trap either.
func tolerating<Result>(_ body: () throws -> Result) -> Result? {
    do { return try body() } catch {
        _ = "\(error) \(error.localizedDescription)"
        return nil
    }
}
