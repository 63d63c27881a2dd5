import Foundation
import ReceiptVerification
import Testing

/// What an independent reader found in a receipt.
struct DecodedPayload: Decodable {
    struct Attribute: Decodable {
        enum Value: Decodable, Equatable {
            case number(Int64)
            case text(String)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int64.self) {
                    self = .number(number)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }
        }

        let type: Int
        let asn1: String
        let value: Value
    }

    let attributes: [Attribute]
    let in_app: [[Attribute]]

    /// Compares a receipt with what was found, attribute by attribute.
    func check(_ contents: ReceiptContents) throws {
        for attribute in attributes {
            switch attribute.type {
            case 0: #expect(attribute.value == .text(contents.receiptType ?? ""))
            case 1: #expect(attribute.value == .number(contents.appAppleID ?? -1))
            case 2: #expect(attribute.value == .text(contents.bundleIdentifier ?? ""))
            case 3: #expect(attribute.value == .text(contents.applicationVersion ?? ""))
            case 4: #expect(attribute.value == .text(Self.hexadecimal(contents.opaqueValue)))
            case 5: #expect(attribute.value == .text(Self.hexadecimal(contents.deviceHash)))
            case 10: #expect(attribute.value == .text(contents.ageRating ?? ""))
            case 12: #expect(Self.date(attribute) == contents.creationDate)
            case 15: #expect(attribute.value == .number(contents.downloadID ?? -1))
            case 16: #expect(attribute.value == .number(contents.versionExternalIdentifier ?? -1))
            case 18: #expect(Self.date(attribute) == contents.originalPurchaseDate)
            case 19: #expect(attribute.value == .text(contents.originalApplicationVersion ?? ""))
            case 21: #expect(Self.date(attribute) == contents.expirationDate)
            default: #expect(contents.otherAttributes.contains { $0.type == attribute.type })
            }
        }
    }

    /// Compares a purchase with what was found.
    static func check(_ purchase: InAppPurchase, _ attributes: [Attribute]) throws {
        for attribute in attributes {
            switch attribute.type {
            case 1701: #expect(attribute.value == .number(Int64(purchase.quantity)))
            case 1702: #expect(attribute.value == .text(purchase.productIdentifier))
            case 1703: #expect(attribute.value == .text(purchase.transactionIdentifier))
            case 1704: #expect(date(attribute) == purchase.purchaseDate)
            case 1705: #expect(attribute.value == .text(purchase.originalTransactionIdentifier ?? ""))
            case 1706: #expect(date(attribute) == purchase.originalPurchaseDate)
            case 1707: #expect(attribute.value == .number(Int64(purchase.productType?.rawValue ?? -1)))
            case 1708: #expect(date(attribute) == purchase.expirationDate)
            case 1710: #expect(attribute.value == .number(purchase.productAppleID ?? -1))
            case 1711: #expect(attribute.value == .number(purchase.webOrderLineItemID ?? -1))
            case 1712: #expect(date(attribute) == purchase.cancellationDate)
            case 1713: #expect(attribute.value == .number(purchase.isTrialPeriod == true ? 1 : 0))
            case 1719: #expect(attribute.value == .number(purchase.isInIntroductoryOfferPeriod == true ? 1 : 0))
            case 1721: #expect(attribute.value == .text(purchase.promotionalOfferIdentifier ?? ""))
            default: #expect(purchase.otherAttributes.contains { $0.type == attribute.type })
            }
        }
    }

    private static func hexadecimal(_ data: Data?) -> String {
        (data ?? Data()).map { String(format: "%02x", $0) }.joined()
    }

    /// A date by Foundation's own reading; Xcode's offsets lack the colon that it wants.
    private static func date(_ attribute: Attribute) -> Date? {
        guard case .text(var text) = attribute.value, !text.isEmpty else { return nil }
        if text.hasSuffix("00"), text.count == 24 { text.insert(":", at: text.index(text.endIndex, offsetBy: -2)) }
        return (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
            ?? (try? Date(text, strategy: .iso8601))
    }
}
