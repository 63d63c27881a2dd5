import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@Suite("The catalogue of a configuration, for programs and for people")
struct CatalogueTests {
    @Test("C01 the document lists products by identifier, and writes null where there is no value")
    func document() throws {
        let configuration = StoreConfiguration(
            version: .init(major: 5, minor: 1),
            products: [
                .init(
                    id: "b", type: .autoRenewable, price: Decimal(string: "2.50"), isFamilyShareable: true,
                    subscription: .init(
                        groupID: "G", period: nil,
                        introductoryOffers: [
                            .init(
                                type: .introductory, paymentMode: .payAsYouGo, price: nil,
                                period: .init(value: 1, unit: .week), periodCount: 2)
                        ])),
                .init(id: "a/é", type: .nonRenewable, price: nil),
            ])
        #expect(
            try String(decoding: configuration.listing.jsonData(), as: UTF8.self).filter { !" \n".contains($0) }
                == """
                {"products":[{"familyShareable":false,"id":"a/é","price":null,"type":"nonRenewing"},\
                {"familyShareable":true,"group":"G","id":"b","level":1,"offers":{"code":[],"introductory":\
                [{"count":2,"id":null,"mode":"payAsYouGo","period":"P1W","price":null}],"promotional":[],"winBack":[]},\
                "period":null,"price":"2.5","type":"autoRenewable"}],"version":"5.1"}
                """)
    }

    @Test("C01 the table has a line for each product, in the order of the file, and its columns stand under each other")
    func table() {
        let configuration = StoreConfiguration(
            products: [
                .init(id: "coins", type: .consumable, price: 0.99, referenceName: "Coins"),
                .init(id: "words", type: .nonConsumable, price: 10, referenceName: "言葉の本"),
                .init(id: "old", type: .nonRenewable, price: nil, referenceName: "A\nB\u{1B}[31m"),
                .init(
                    id: "plus", type: .autoRenewable, price: 4.99, referenceName: "Plus",
                    subscription: .init(
                        groupID: "G", period: .init(value: 1, unit: .month),
                        introductoryOffers: [offer(.introductory, .freeTrial, 0, .init(value: 1, unit: .week))],
                        promotionalOffers: [
                            offer(.promotional, .payAsYouGo, 1.99, .init(value: 1, unit: .month), 3, id: "less")
                        ],
                        codeOffers: [offer(.code, .payUpFront, 9, .init(value: 6, unit: .month), reference: "Spring")],
                        winBackOffers: [offer(.winBack, .payUpFront, nil, .init(value: 1, unit: .year), id: "back")])),
            ])
        #expect(
            configuration.table() == """
                NAME      IDENTIFIER  TYPE            PRICE   PERIOD   OFFERS
                Coins     coins       consumable      $0.99   -
                言葉の本  words       non-consumable  $10.00  -
                A B [31m  old         non-renewing    -       -
                Plus      plus        auto-renewable  $4.99   1 month  introductory: free for 1 week; promotional less: \
                3 x $1.99 for 1 month; code Spring: $9.00 for 6 months; win-back back: without a price for 1 year

                """)
    }

    @Test("C01 the table is in the currency and the language asked for")
    func translated() throws {
        let table = try Fixture.configuration("v3.0").table(storefront: "JPN", locale: "ja")
        #expect(table.contains("言葉"))
        #expect(table.contains("¥3"))
    }

    @Test("C01 the table of an empty configuration is its heading")
    func empty() {
        #expect(StoreConfiguration().table() == "NAME  IDENTIFIER  TYPE  PRICE  PERIOD  OFFERS\n")
    }

    private func offer(
        _ type: StoreOfferType, _ mode: StoreOfferPaymentMode, _ price: Decimal?, _ period: StoreSubscriptionPeriod,
        _ count: Int = 1, id: String? = nil, reference: String? = nil
    ) -> StoreConfiguration.Offer {
        .init(
            type: type, id: id, paymentMode: mode, price: price, period: period, periodCount: count,
            referenceName: reference)
    }
}
