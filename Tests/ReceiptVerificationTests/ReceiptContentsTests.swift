import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("What a receipt says")
struct ReceiptContentsTests {
    private func contents(_ attributes: [UInt8]...) throws -> ReceiptContents {
        let data = try Fixtures.signer.appReceipt(content: DER.element(.set, Array(attributes.joined())))
        return try AppReceipt(data: data).unverifiedContents
    }

    private func purchase(_ attributes: [UInt8]...) -> [UInt8] {
        let required = DER.attribute(1702, DER.text("com.example.pro")) + DER.attribute(1703, DER.text("1"))
        return DER.attribute(17, DER.element(.set, required, Array(attributes.joined())))
    }

    @Test("X04 a receipt without any attribute is decoded, and so is a purchase with the least")
    func least() throws {
        let empty = try contents()
        #expect(empty.bundleIdentifier == nil && empty.creationDate == nil && empty.purchases.isEmpty)
        let least = try #require(try contents(purchase()).purchases.first)
        #expect(least.quantity == 1 && least.purchaseDate == nil && least.originalTransactionIdentifier == nil)
        #expect(least.otherAttributes.isEmpty)
    }

    @Test("X04 unknown attributes are kept as they came, the negative and the repeated among them")
    func unknown() throws {
        let contents = try contents(
            DER.attribute(6, [1, 2, 3]), DER.attribute(-5, []), DER.attribute(9999, DER.text("a"), version: 4),
            DER.attribute(9999, DER.text("b")), DER.attribute(3, DER.text("7")),
            purchase(DER.attribute(1799, [0xFF]), DER.attribute(1704, DER.text("", .ia5String))))
        #expect(
            contents.otherAttributes == [
                ReceiptAttribute(type: 6, value: Data([1, 2, 3])), ReceiptAttribute(type: -5, value: Data()),
                ReceiptAttribute(type: 9999, version: 4, value: Data(DER.text("a"))),
                ReceiptAttribute(type: 9999, value: Data(DER.text("b"))),
            ])
        #expect(contents.applicationVersion == "7")
        #expect(contents.purchases[0].otherAttributes == [ReceiptAttribute(type: 1799, value: Data([0xFF]))])
        #expect(contents.purchases[0].purchaseDate == nil)
    }

    @Test("X04 what Apple does not document may take another form", arguments: [10, 15, 16, 18, 32])
    func undocumented(_ type: Int) throws {
        #expect(try contents(DER.attribute(type, [0xFF]), DER.attribute(3, DER.text("7"))).applicationVersion == "7")
    }

    @Test("X03 what Apple documents may not", arguments: [0, 1, 2, 3, 12, 17, 19, 21])
    func documented(_ type: Int) throws {
        #expect(throws: MalformedInput.self) { try contents(DER.attribute(type, [0xFF])) }
    }

    @Test("X02 an attribute that appears twice is ambiguous", arguments: [0, 2, 3, 4, 5, 12, 21])
    func twice(_ type: Int) throws {
        let attribute = DER.attribute(type, type == 12 || type == 21 ? DER.text("", .ia5String) : DER.text("a"))
        #expect(try contents(attribute).purchases.isEmpty)
        #expect(throws: MalformedInput.self) { try contents(attribute, attribute) }
        let quantity = DER.attribute(1701, DER.integer(2))
        #expect(try contents(purchase(quantity)).purchases[0].quantity == 2)
        #expect(throws: MalformedInput.self) { try contents(purchase(quantity, quantity)) }
    }

    @Test("X04 numbers beyond 32 bits are kept, and texts may be of any type that Apple uses")
    func values() throws {
        let contents = try contents(
            purchase(
                DER.attribute(1711, DER.integer(30_000_071_445_557)), DER.attribute(1721, DER.text("ö", .utf8String))),
            DER.attribute(2, DER.text("com.example", .visibleString)), DER.attribute(3, DER.text("7", .printableString))
        )
        #expect(contents.purchases[0].webOrderLineItemID == 30_000_071_445_557)
        #expect(contents.purchases[0].promotionalOfferIdentifier == "ö")
        #expect(contents.bundleIdentifier == "com.example" && contents.applicationVersion == "7")
    }

    @Test("X03 text that is not UTF-8 is an error with its place")
    func text() throws {
        #expect(throws: MalformedInput.self) {
            try contents(DER.attribute(2, DER.element(.utf8String, [0x61, 0xF0, 0x9F, 0x98])))
        }
    }

    @Test("A subscription is active from its purchase on, up to but not including its end, and never once cancelled")
    func activity() {
        var contents = ReceiptContents()
        let (start, end) = (Fixtures.date, Fixtures.date + 100)
        contents.purchases = [
            Fixtures.purchase("pro", "1", from: start, until: end),
            Fixtures.purchase("gone", "2", from: start, until: end, cancelled: start + 50),
            Fixtures.purchase("coins", "3", from: start),
        ]
        #expect(!contents.hasActiveSubscription(to: "pro", at: start - 1))
        #expect(contents.hasActiveSubscription(to: "pro", at: start))
        #expect(contents.hasActiveSubscription(to: "pro", at: end - 1))
        #expect(!contents.hasActiveSubscription(to: "pro", at: end))
        #expect(!contents.hasActiveSubscription(to: "gone", at: start + 1))
        #expect(!contents.hasActiveSubscription(to: "coins", at: start + 1))
        #expect(contents.containsPurchase(of: "pro") && contents.containsPurchase(of: "coins"))
        #expect(!contents.containsPurchase(of: "gone") && !contents.containsPurchase(of: "other"))
    }

    @Test("The latest purchase is the one that ends last, in whatever order they stand")
    func latest() {
        var contents = ReceiptContents()
        contents.purchases = [
            Fixtures.purchase("pro", "2", from: Fixtures.date, until: Fixtures.date + 20),
            Fixtures.purchase("pro", "3", from: Fixtures.date + 10, until: Fixtures.date + 30),
            Fixtures.purchase("pro", "1", from: Fixtures.date + 20, until: Fixtures.date + 25),
            Fixtures.purchase("coins", "4", from: Fixtures.date),
            Fixtures.purchase("coins", "5", from: Fixtures.date + 1),
        ]
        #expect(contents.latestPurchase(of: "pro")?.transactionIdentifier == "3")
        #expect(contents.latestPurchase(of: "coins")?.transactionIdentifier == "5")
        #expect(contents.latestPurchase(of: "other") == nil)
        #expect(contents.purchase(withTransactionIdentifier: "1")?.productIdentifier == "pro")
        #expect(contents.purchase(withTransactionIdentifier: "9") == nil)
    }

    @Test("X03 a receipt with thousands of purchases is decoded")
    func large() throws {
        var contents = Fixtures.receipt
        contents.purchases = (0..<2_000).map { Fixtures.purchase("com.example.coins", "\($0)", from: Fixtures.date) }
        let data = try Fixtures.signer.appReceipt(contents)
        #expect(try Fixtures.receiptVerifier().verify(data: data).purchases.count == 2_000)
    }

    @Test("X03 a transaction receipt of iOS 6 is recognised and refused")
    func transactionReceipt() async {
        let text = #"{ "signature" = "AgEB"; "purchase-info" = "ewoJ"; "pod" = "100"; "signing-status" = "0"; }"#
        #expect(await malformation { try AppReceipt(data: Data(text.utf8)) }?.problem.contains("iOS 6") == true)
    }

    @Test("X03 a receipt beyond all measure is refused unread")
    func tooLarge() async {
        let data = Data(repeating: 0x30, count: AppReceipt.maximumByteCount + 1)
        #expect(await malformation { try AppReceipt(data: data) }?.offset == AppReceipt.maximumByteCount)
    }
}
