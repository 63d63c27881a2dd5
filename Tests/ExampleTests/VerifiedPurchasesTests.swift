#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@Suite("The example of verified purchases")
struct VerifiedPurchasesTests {
    let example = Executable(name: "VerifiedPurchases")

    @Test("J01 X01 genuine purchases go through, forged and unsigned ones do not")
    func story() throws {
        let result = try example.run()
        #expect(result.status == 0, "\(result.text)")
        #expect(result.text.count { $0 == "✓" } == 5)
        #expect(result.text.matches(of: /bought com.example.coins/).count == 2)
        #expect(result.text.matches(of: /is not signed by its issuer\.\n/).count == 2)
    }

    @Test("A shop that sells nothing suitable is skipped with its reason")
    func nothingToBuy() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "Empty.storekit")
        try Data(#"{"identifier":"","products":[],"version":{"major":2,"minor":0}}"#.utf8).write(to: file)
        let result = try example.run("--configuration", file.path)
        #expect(result.status == 0)
        #expect(result.text.contains("skipped"))
    }
}
#endif
