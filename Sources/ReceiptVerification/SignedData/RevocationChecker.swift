public import Foundation

/// Who tells whether certificates were revoked, such as an OCSP service.
public protocol RevocationChecker: Sendable {
    /// Tells whether a certificate was revoked. Asked about the leaf and the intermediate certificate of each datum, after
    /// everything else was found good; a checker that asks over the network does well to remember its answers for a while.
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
