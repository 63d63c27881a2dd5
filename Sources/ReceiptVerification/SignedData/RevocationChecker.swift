public import Foundation

/// Who tells whether certificates were revoked, such as an OCSP service.
public protocol RevocationChecker: Sendable {
    /// Tells whether a certificate was revoked. Asked about the leaf and the intermediate certificate of each datum; a checker
    /// that asks over the network does well to remember its answers for a while.
    ///
    /// - Parameters:
    ///   - certificate: The certificate, DER.
    ///   - issuer: The certificate of its issuer, DER.
    ///   - date: The date now.
    /// - Throws: Any error where it cannot tell. The data then count as undecided, never as valid.
    func status(of certificate: Data, issuedBy issuer: Data, at date: Date) async throws -> RevocationStatus
}

/// Whether a certificate was revoked.
public enum RevocationStatus: Hashable, Sendable {
    /// It was not.
    case good
    /// It was: data signed with it are not valid.
    case revoked
}

extension VerifiedData {
    /// Makes sure that none of the certificates was revoked. Data from local testing have none.
    ///
    /// - Throws: ``VerificationError``: refused where one was revoked, undecided where the checker cannot tell.
    public func checkRevocation(by checker: any RevocationChecker, at date: Date) async throws {
        guard let links = chain?.links else { return }
        for (link, issuer) in zip(links, links.dropFirst()) {
            let status: RevocationStatus
            do {
                status = try await checker.status(
                    of: Data(link.certificate.encoding), issuedBy: Data(issuer.certificate.encoding), at: date)
            } catch {
                throw VerificationError.undecided(error)
            }
            if status == .revoked { throw VerificationError.refused(.certificateRevoked(link.role)) }
        }
    }
}

extension VerifiedNotification {
    /// Makes sure that none of the certificates of the notification and of what is nested in it was revoked.
    ///
    /// - Throws: ``VerificationError``: refused where one was revoked, undecided where the checker cannot tell.
    public func checkRevocation(by checker: any RevocationChecker, at date: Date) async throws {
        try await notification.checkRevocation(by: checker, at: date)
        try await transaction?.checkRevocation(by: checker, at: date)
        try await renewalInfo?.checkRevocation(by: checker, at: date)
        try await appTransaction?.checkRevocation(by: checker, at: date)
    }
}
