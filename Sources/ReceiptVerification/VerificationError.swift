public import Foundation
public import StoreManagerCore

/// Why data were not verified.
public enum VerificationError: Error, Sendable {
    /// They could not be read.
    case malformed(MalformedInput)
    /// They break a rule: they are not genuine, or not for this app.
    case refused(Refusal)
    /// Nobody can tell now, because of the error. They may be genuine: ask again.
    case undecided(any Error)

    /// The verdict for the handshake with the store manager.
    public var verdict: VerificationVerdict {
        switch self {
        case .malformed(let problem): .invalid(reason: problem.description)
        case .refused(let refusal): .invalid(reason: refusal.description)
        case .undecided(let error): .unableToComplete(error)
        }
    }

    /// Runs a check and turns what it throws into a verification error.
    static func wrap<Value>(_ check: () throws -> Value) throws -> Value {
        do {
            return try check()
        } catch let problem as MalformedInput {
            throw VerificationError.malformed(problem)
        } catch let refusal as Refusal {
            throw VerificationError.refused(refusal)
        }
    }
}

extension VerificationError: CustomStringConvertible, LocalizedError {
    /// The reason, as a sentence.
    public var description: String {
        switch self {
        case .malformed(let problem): "The data cannot be read: \(problem)"
        case .refused(let refusal): refusal.description
        case .undecided(let error): "Nobody can tell now: \(error.localizedDescription)"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
