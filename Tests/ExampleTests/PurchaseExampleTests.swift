#if os(macOS) || os(Linux)
import TestSupport
import Testing

@Suite("The examples that buy")
struct PurchaseExampleTests {
    @Test("P07 P10 everything goes as it should", arguments: ["ClosurePurchases", "DelegatePurchases"])
    func alone(example: String) throws {
        let result = try Executable(name: example).run()
        #expect(result.status == 0, "\(result.text)")
        #expect(!result.text.contains("skipped"))
    }

    #if os(Linux)
    @Test(
        "A01 the same happens by the shared manager, over the double of StoreKit",
        arguments: ["ClosurePurchases", "DelegatePurchases"])
    func shared(example: String) throws {
        let result = try Executable(name: example).run("--shared")
        #expect(result.status == 0, "\(result.text)")
        #expect(result.text == (try Executable(name: example).run().text))
    }
    #endif
}
#endif
