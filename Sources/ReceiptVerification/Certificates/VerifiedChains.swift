import Foundation

/// The chains that a verifier has found good, so that the next datum signed under one of them costs one signature check.
///
/// A chain is known by the very bytes that it came as. It is forgotten after its `lifetime`, or when `capacity` others were used
/// since. What was refused is not remembered. Validity dates are not part of it: they are checked for each datum.
///
/// Unchecked, because `entries` is read and written under the lock only, and everything else never changes.
final class VerifiedChains: @unchecked Sendable {
    /// How long a chain is remembered, in seconds.
    static let lifetime: TimeInterval = 15 * 60
    /// How many are remembered.
    static let capacity = 16

    private struct Entry {
        let certificates: ContiguousArray<UInt8>
        let signer: ContiguousArray<UInt8>
        let chain: CertificateChain
        let date: Date
    }

    private let lock = NSLock()
    /// The last used ones first.
    private var entries: [Entry] = []

    /// The chain that came as these certificates and this name of the signer's among them, else the one that `validate` finds.
    ///
    /// - Parameter signer: Empty where the certificates tell by themselves which is the signer's.
    func chain(
        for certificates: Span<UInt8>, signedBy signer: Span<UInt8>, at now: Date,
        else validate: () throws -> CertificateChain
    ) throws -> CertificateChain {
        if let chain = lock.withLock({ find(certificates, signer, at: now) }) { return chain }
        let chain = try validate()
        let entry = Entry(
            certificates: certificates.copy(0..<certificates.count), signer: signer.copy(0..<signer.count),
            chain: chain, date: now)
        lock.withLock {
            entries.insert(entry, at: 0)
            if entries.count > Self.capacity { entries.removeLast() }
        }
        return chain
    }

    private func find(_ certificates: Span<UInt8>, _ signer: Span<UInt8>, at now: Date) -> CertificateChain? {
        // A clock that was set back must not keep a chain for ever.
        entries.removeAll { abs(now.timeIntervalSince($0.date)) > Self.lifetime }
        let index = entries.firstIndex {
            $0.certificates.span.isSame(as: certificates) && $0.signer.span.isSame(as: signer)
        }
        guard let index else { return nil }
        if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
        return entries[0].chain
    }
}
