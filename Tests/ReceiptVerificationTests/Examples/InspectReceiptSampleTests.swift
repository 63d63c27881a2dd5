#if os(macOS) || os(Linux)
import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

/// Each sample gets from the example the verdict that the library is tested for elsewhere.
@Suite("Inspecting genuine and made samples", .enabled(if: Corpus.isAvailable, "there is no corpus beside the project"))
struct InspectReceiptSampleTests {
    static let receiptSamples = AppReceiptSampleTests.samples
    static let dataSamples = SignedDataSampleTests.samples

    @Test("X01 X02 X03 a receipt's verdict, place, environment, app and purchases", arguments: receiptSamples)
    func receipt(_ sample: Sample) throws {
        let (status, lines) = try Inspection.run([sample.file], sample.options)
        let line = try #require(lines.first)
        let isAccepted = sample.kind == "ok" || AppReceiptSampleTests.acceptedByPolicy.contains(sample.path)
        #expect((line.verdict == "valid") == isAccepted, "\(sample.verdict): \(line)")
        #expect((line.reason == nil) == isAccepted)
        #expect(status == ["valid": 0, "invalid": 1, "unreadable": 2][line.verdict])
        do {
            let contents = try AppReceipt(data: sample.data).unverifiedContents
            #expect(line.verdict != "unreadable" && line.format == "receipt")
            #expect(line.environment == contents.environment?.rawValue)
            #expect(line.bundle == contents.bundleIdentifier)
            #expect(try #require(line.purchases) == contents.purchases.map(Inspection.Purchase.init))
            if let count = sample.purchaseCount { #expect(line.purchases?.count == count) }
        } catch let problem as MalformedInput {
            #expect(line.verdict == "unreadable" && line.offset == problem.offset)
            #expect(line.environment == nil && line.bundle == nil && line.purchases == nil)
            // No receipt is one SEQUENCE in another.
            let isReceipt = try sample.data.first == 0x30 && !sample.path.hasSuffix("m08-nested-1000-definite.der")
            #expect(line.format == (isReceipt ? "receipt" : nil))
        }
    }

    @Test(
        "J01 J02 a JWS's verdict, whether its kind is given or told by the claims", arguments: dataSamples,
        [true, false])
    func jws(_ sample: Sample, isKindGiven: Bool) throws {
        var options = sample.options + ["--environment", sample.environment.rawValue]
        if let kind = sample.dataKind, isKindGiven { options += ["--kind", kind.rawValue] }
        let (status, lines) = try Inspection.run([sample.file], options)
        let line = try #require(lines.first)
        let isAccepted = sample.kind == "ok" || SignedDataSampleTests.acceptedByPolicy.contains(sample.path)
        #expect((line.verdict == "valid") == isAccepted, "\(sample.verdict): \(line)")
        #expect((line.reason == nil) == isAccepted)
        #expect(status == ["valid": 0, "invalid": 1, "unreadable": 2][line.verdict])
        let isNothing = ["i33-empty.jws", "i34-dots.jws"].contains { sample.path.hasSuffix($0) }
        #expect(line.format == (isNothing ? nil : "jws"))
        if line.verdict == "unreadable" { #expect(line.purchases == nil && line.environment == nil) }
    }

    @Test("J03 Xcode's samples are accepted only under its environment, which the reason says")
    func xcode() throws {
        let certificate = Corpus.url("receipts/certs/StoreKitTestCertificate.cer").path
        let samples = (Self.receiptSamples + Self.dataSamples).filter { $0.kind == "xcode" }
        #expect(samples.count == 6)
        let files = samples.map(\.file)
        for options in [[], ["--environment", "Sandbox"], ["--root", certificate]] {
            let (status, lines) = try Inspection.run(files, options)
            #expect(status == 1)
            for line in lines {
                #expect(line.verdict == "invalid" && line.environment == "Xcode")
                #expect(line.reason?.contains("--environment Xcode") == true)
            }
        }
        let (status, lines) = try Inspection.run(files, ["--root", certificate, "--environment", "Xcode"])
        #expect(status == 0)
        for line in lines {
            #expect(line.verdict == "valid" && line.reason?.contains("--environment") == true)
        }
        // Apple's roots vouch for no receipt of Xcode's; its signed data have nobody to vouch for them.
        let (_, underApple) = try Inspection.run(files, ["--environment", "Xcode"])
        for line in underApple {
            #expect(line.verdict == (line.format == "jws" ? "valid" : "invalid"))
            #expect(line.reason?.contains("give it with --root") == (line.format == "receipt"))
        }
        #expect(underApple.count { $0.verdict == "valid" } == 3)
    }
}

extension Sample {
    fileprivate var file: String { Corpus.url("receipts/\(path)").path }

    /// The options that say what is expected.
    fileprivate var options: [String] {
        var options: [String] = []
        if let root { options += ["--root", Corpus.url("receipts/\(root)").path] }
        if let bundleIdentifier { options += ["--bundle", bundleIdentifier] }
        if let appAppleID { options += ["--app-id", String(appAppleID)] }
        if let device { options += ["--device", device.map { String(format: "%02X", $0) }.joined(separator: ":")] }
        return options
    }
}

extension Inspection.Purchase {
    fileprivate init(_ purchase: InAppPurchase) {
        func text(_ date: Date?) -> String? {
            date.map {
                let isWhole = $0.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) == 0
                return $0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
            }
        }
        self.init(
            product: purchase.productIdentifier, transaction: purchase.transactionIdentifier,
            originalTransaction: purchase.originalTransactionIdentifier, quantity: purchase.quantity,
            purchased: text(purchase.purchaseDate), expires: text(purchase.expirationDate),
            revoked: text(purchase.cancellationDate))
    }
}
#endif
