#if os(macOS) || os(Linux)
import Foundation
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
        // Fetches that run at once are answered in any order.
        let alone = try Executable(name: example).run()
        #expect(result.text.split(separator: "\n").sorted() == alone.text.split(separator: "\n").sorted())
    }

    @Test("The shared manager sells what the environment names, unless told otherwise; what cannot be read is said")
    func environment() throws {
        let example = Executable(name: "ClosurePurchases")
        let missing = ["STOREKIT_CONFIGURATION": "/nowhere/Missing.storekit"]
        let result = try example.run(["--shared"], environment: missing)
        #expect(result.status == 1 && result.errors.contains("Missing.storekit"), "\(result.errors)")
        #expect(try example.run([], environment: missing).status == 0)
        let shop = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/Shared/Shop.storekit").standardized.path
        #expect(try example.run(["--shared", "--configuration", shop], environment: missing).status == 0)
        let named = try example.run(["--shared"], environment: ["STOREKIT_CONFIGURATION": shop])
        #expect(named.status == 0, "\(named.text)")
    }
    #endif
}
#endif
