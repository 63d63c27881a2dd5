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
            // The decoder knows what else there is, such as the receipts of iOS 6.
            case .receipt, nil: try inspect(receipt: data, &inspection)
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
        if data.prefix(16).isReceipt { return .receipt }
        let text = data.drop(while: Base64.isWhitespace)
        if text.lazy.filter({ !Base64.isWhitespace($0) }).prefix(16).decodedBase64?.isReceipt == true {
            return .receipt
        }
        // A JWS has three parts with dots between them. The first one is a JSON object, and the second one too: where either is,
        // this is a JWS, although a damaged one.
        let parts = text.trimmingLineBreaks.split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].allSatisfy(\.isBase64) else { return nil }
        if parts[0].prefix(64).decodedBase64?.beginsObject == true { return .jws }
        guard parts.count == 3, parts.allSatisfy({ $0.allSatisfy(\.isBase64) }), let payload = parts[1].decodedBase64,
            (try? JSONSerialization.jsonObject(with: payload)) is [String: Any]
        else { return nil }
        return .jws
    }
}

extension Sequence<UInt8> {
    /// The bytes that a text stands for in either alphabet of base64, filled up or not; nil where it is none.
    fileprivate var decodedBase64: Data? {
        var text = Data(self)
        for (place, character) in zip(text.indices, text) {
            if character == UInt8(ascii: "-") { text[place] = UInt8(ascii: "+") }
            if character == UInt8(ascii: "_") { text[place] = UInt8(ascii: "/") }
        }
        while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: text)
    }
}

extension Data {
    /// Whether these are the first bytes of a receipt: a SEQUENCE that begins with an OBJECT IDENTIFIER, as that of a certificate
    /// does not.
    fileprivate var isReceipt: Bool {
        guard first == 0x30, let length = dropFirst().first else { return false }
        // A length of more than 127 is written in as many octets as this one tells (X.690, 8.1.3).
        return dropFirst(length > 0x80 ? 2 + Int(length & 0x7F) : 2).first == 0x06
    }

    /// Whether these are the first bytes of a JSON object.
    fileprivate var beginsObject: Bool { first { !Base64.isWhitespace($0) } == UInt8(ascii: "{") }
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
