import StoreManagerCore
import TestSupport
import Testing

@MainActor
struct FetchTests {
    @Test("F07 a store that never answers is timed out")
    func timeout() async {
        let shop = ManagerFixture()
        shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("a"))
        await shop.advance(by: 29)
        #expect(shop.lines == ["store fetch [coins]"])
        await shop.advance(by: 1)
        #expect(shop.lines == ["store fetch [coins]", "a failure timedOut"])
    }
}
