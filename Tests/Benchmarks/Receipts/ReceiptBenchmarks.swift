import Foundation
import ReceiptVerification

extension Benchmarks {
    /// What it costs to verify receipts and signed transactions.
    static let receipts: [any Benchmark] = [decoding] + verification

    private static let decoding = GrowthBenchmark(
        "decoding a receipt with so many purchases, each", sizes: [10, 187, 10_000], limit: 1.3
    ) { size in
        let rounds = max(1, 2_000 / size)
        let receipt = try ReceiptSample(purchases: size).data
        return {
            for _ in 0..<rounds { _ = try AppReceipt(data: receipt) }
            return rounds * size
        }
    }

    #if canImport(CLibCrypto)
    private static let verification: [any Benchmark] =
        [
            signedTransaction("a signed transaction under a known chain, its claims not decoded", limit: 0.85) {
                sample in
                let verifier = sample.verifier
                return { try verifier.checkSignature(ofJWS: sample.jws, at: sample.date) }
            },
            signedTransaction("a signed transaction under a known chain", limit: 0.65) { sample in
                let verifier = sample.verifier
                return { _ = try verifier.verify(SignedTransaction(sample.jws)) }
            },
            signedTransaction("a signed transaction under a new chain", limit: 0.7, isChainKnown: false) { sample in
                { _ = try sample.verifier.verify(SignedTransaction(sample.jws)) }
            },
        ]
        + [2, 9, 187].flatMap { count in
            [
                receipt("a receipt of \(count) purchases under a new chain", purchases: count, isChainKnown: false),
                receipt("a receipt of \(count) purchases under a known chain", purchases: count, isChainKnown: true),
            ]
        }

    /// Compares the verification of a signed transaction with its bare signature checks.
    private static func signedTransaction(
        _ name: String, limit: Double, isChainKnown: Bool = true,
        _ verify: @escaping @Sendable (SignedTransactionSample) -> () throws -> Void
    ) -> ComparisonBenchmark {
        ComparisonBenchmark(name, limit: limit) {
            let sample = try SignedTransactionSample()
            let checks = try isChainKnown ? [sample.bareCheck()] : [sample.bareCheck()] + sample.bareChainChecks()
            let verify = verify(sample)
            return (
                bare: {
                    for _ in 0..<20 { for check in checks { check.verify() } }
                    return 20
                },
                whole: {
                    for _ in 0..<20 { try verify() }
                    return 20
                }
            )
        }
    }

    /// Compares the verification of a receipt, decoding included, with its bare signature checks and digests.
    private static func receipt(_ name: String, purchases: Int, isChainKnown: Bool) -> ComparisonBenchmark {
        ComparisonBenchmark(name, limit: 0.7) {
            let sample = try ReceiptSample(purchases: purchases)
            let checks = try isChainKnown ? [sample.bareCheck()] : [sample.bareCheck()] + sample.bareChainChecks()
            let known = sample.verifier
            return (
                bare: {
                    for _ in 0..<20 { for check in checks { check.digestAndVerify() } }
                    return 20
                },
                whole: {
                    for _ in 0..<20 { _ = try (isChainKnown ? known : sample.verifier).verify(data: sample.data) }
                    return 20
                }
            )
        }
    }
    #else
    private static let verification: [any Benchmark] = []
    #endif
}
