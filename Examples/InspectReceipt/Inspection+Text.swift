import Foundation
import ReceiptVerification
import StoreSimulator

extension Inspection {
    /// The inspection as a person reads it.
    var text: String {
        var parts = ["\(file.printable): \(title ?? format.map { "damaged \($0.rawValue)" } ?? "unreadable")\n"]
        if !fields.isEmpty { parts.append(Self.table(fields.map { [$0.name, $0.value.shortened] })) }
        if let purchases, !purchases.isEmpty {
            let heads = ["product", "transaction", "original", "quantity", "purchased", "expires", "revoked"]
            parts.append("  Purchases (\(purchases.count))\n" + Self.table([heads] + purchases.map(\.cells)))
        } else if format == .receipt, purchases != nil {
            parts.append("  No purchases\n")
        }
        if !certificates.isEmpty {
            let rows = certificates.map {
                [$0.commonName ?? "without a name", $0.notBefore.readable, $0.notAfter.readable]
            }
            parts.append("  Certificates, as they came\n" + Self.table([["name", "valid from", "until"]] + rows))
        }
        if !checksNotMade.isEmpty {
            parts.append("  Not checked\n" + Self.table(checksNotMade.map { [$0] }))
        }
        let place = offset.map { " (byte \($0))" } ?? ""
        let end = reason.map { ". \($0)\(reason?.contains("at byte") == true ? "" : place)" } ?? "."
        parts.append("  Verdict: \(verdict.rawValue)\(end)".printable + "\n")
        return parts.joined(separator: "\n")
    }

    private static func table(_ rows: [[String]]) -> String {
        TextTable(rows: rows.map { ["  "] + $0 }).description
    }
}

extension Inspection.Purchase {
    fileprivate var cells: [String] {
        [
            product ?? "–", transaction ?? "–", originalTransaction ?? "–", quantity.map(String.init) ?? "–",
            purchased?.readable ?? "–", expires?.readable ?? "–", revoked?.readable ?? "–",
        ]
    }
}

extension String {
    /// The text, or the beginning of one that would fill a screen, such as a JWS in a notification.
    fileprivate var shortened: String { count > 400 ? "\(prefix(60))… (\(count) characters)" : self }
}
