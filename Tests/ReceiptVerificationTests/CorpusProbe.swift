import Foundation
import ReceiptVerification
import StoreManagerCore
import Testing
import TestSupport

@Suite("probe", .enabled(if: Corpus.isAvailable))
struct CorpusProbe {
    @Test func probe() async throws {
        for sample in Sample.indexed("pkcs7") + Sample.synthetic("pkcs7") {
            let verifier = AppReceiptVerifier(bundleIdentifier: sample.bundleIdentifier, deviceIdentifier: sample.device, roots: try sample.roots)
            let answer: String
            do { let r = try verifier.verify(data: sample.data); answer = "VALID \(r.purchases.count) \(sample.purchaseCount ?? -1)" } catch { answer = "\(error)" }
            let mark = answer.hasPrefix("VALID") == (sample.kind == "ok") ? "  " : "**"
            print(mark, sample.kind, sample.path, "|", sample.verdict.prefix(60), "=>", answer)
        }
        for sample in Sample.indexed("jws") + Sample.synthetic("jws") {
            let verifier = SignedDataVerifier(bundleIdentifier: sample.bundleIdentifier, appAppleID: sample.appAppleID, environments: [sample.environment], roots: try sample.roots)
            let text = String(decoding: try sample.data, as: UTF8.self)
            var answer: String
            do {
                switch sample.dataKind {
                case .transaction: _ = try await verifier.verify(SignedTransaction(text))
                case .renewalInfo: _ = try await verifier.verify(SignedRenewalInfo(text))
                case .appTransaction: _ = try await verifier.verify(SignedAppTransaction(text))
                case .notification: _ = try await verifier.verify(SignedNotification(text))
                case nil: print("no kind")
                }
                answer = "VALID"
            } catch { answer = "\(error)" }
            let mark = answer.hasPrefix("VALID") == (sample.kind == "ok") ? "  " : "**"
            print(mark, sample.kind, sample.path, "|", sample.verdict.prefix(60), "=>", answer)
        }
    }
}
