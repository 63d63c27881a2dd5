import StoreKitManager
import Testing

struct ImportTests {
    @Test("One import brings the manager and its models")
    func core() {
        #expect(PurchaseOptions().quantity == 1)
    }
}
