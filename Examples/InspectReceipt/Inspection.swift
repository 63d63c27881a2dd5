import Foundation
import ReceiptVerification
import StoreManagerCore

/// What was found in a file.
struct Inspection {
    /// What a file holds.
    enum Format: String {
        case receipt, jws
    }

    /// What came of its checks.
    enum Verdict: String {
        /// It is genuine, and what was expected.
        case valid
        /// It breaks a rule.
        case invalid
        /// No receipt or JWS could be decoded.
        case unreadable
        /// Nobody can tell.
        case unable
    }

    /// One purchase; nil is what is not told.
    struct Purchase {
        var product: String?
        var transaction: String?
        var originalTransaction: String?
        var quantity: Int?
        var purchased: Date?
        var expires: Date?
        var revoked: Date?
    }

    let file: String
    var format: Format?
    var verdict = Verdict.unreadable
    /// Why the verdict is what it is; nil where a valid file needs no reason.
    var reason: String?
    /// The byte that the reason is about, from the start of the receipt's binary form or of the JWS; nil where it is about none,
    /// or about a part that is encoded in them.
    var offset: Int?
    /// The environment by its name in `--environment`.
    var environment: String?
    var bundle: String?
    /// Nil where they are unknown.
    var purchases: [Purchase]?

    // MARK: For people

    /// What kind of data it is, in a few words.
    var title: String?
    /// Everything else that it says, with the names of the fields.
    var fields: [(name: String, value: String)] = []
    var certificates: [SigningCertificate] = []
    /// The checks that were not made, and why.
    var checksNotMade: [String] = []

    init(file: String) { self.file = file }

    /// Sets the verdict that a check ended with.
    mutating func conclude(_ error: any Error, decoded: Bool) {
        verdict = decoded ? .invalid : .unreadable
        reason = error.localizedDescription
        switch error {
        case let problem as MalformedInput, VerificationError.malformed(let problem):
            offset = problem.part == nil ? problem.offset : nil
        case VerificationError.refused(.environmentNotAccepted(let found?)) where found.isLocalTesting:
            reason = "Only --environment \(found.rawValue) accepts data made by store testing on a developer's machine."
        case VerificationError.refused(.chainLength), VerificationError.refused(.rootNotTrusted):
            guard environment.map(StoreEnvironment.init(rawValue:))?.isLocalTesting == true else { break }
            reason =
                error.localizedDescription + " Store testing signs with a certificate of its own: give it with --root."
        case VerificationError.undecided: verdict = .unable
        default: break
        }
    }
}
