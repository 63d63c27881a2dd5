import Foundation
import ReceiptVerification

/// Looks into files.
struct Inspector {
    let checks: Checks

    /// What is in a file, and what it is worth.
    func inspect(_ file: String) -> Inspection {
        var inspection = Inspection(file: file)
        do {
            let data = try readFile(file)
            inspection.format = format(of: data)
            switch inspection.format {
            case .jws: try inspect(jws: data, &inspection)
            case .receipt: try inspect(receipt: data, &inspection)
            case nil:
                // The decoder knows what else there is, such as the receipts of iOS 6.
                _ = try AppReceipt(data: data)
            }
        } catch {
            inspection.conclude(error, decoded: false)
            if inspection.format == nil, error is MalformedInput {
                inspection.reason = "This is neither an app receipt nor a JWS: \(error.localizedDescription)."
            }
        }
        return inspection
    }

    /// Tells by the content what a file holds.
    private func format(of data: Data) -> Inspection.Format? {
        // A receipt is a SEQUENCE, which in base64 begins with MI where it is longer than 127 bytes.
        if data.first == 0x30 { return .receipt }
        let text = data.drop(while: \.isWhitespace)
        if text.starts(with: Data("MI".utf8)), text.prefix(16).allSatisfy(\.isBase64) { return .receipt }
        // A JWS has three parts with dots between them, the first of which is a JSON object.
        let parts = text.trimmingLineBreaks.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isWhole = parts.count == 3 && parts.allSatisfy { $0.allSatisfy(\.isBase64) }
        let isBegun = parts.count > 1 && parts[0].starts(with: Data("ey".utf8)) && parts[0].allSatisfy(\.isBase64)
        return isWhole || isBegun ? .jws : nil
    }
}

extension Data {
    /// The text of a file without the line break that ends it.
    var trimmingLineBreaks: Data {
        var text = self
        while let last = text.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { text.removeLast() }
        return text
    }
}

extension UInt8 {
    fileprivate var isWhitespace: Bool { self == 0x20 || 0x09...0x0D ~= self }

    /// Whether it is a character of base64, in either alphabet.
    fileprivate var isBase64: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
