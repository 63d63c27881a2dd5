/// A server notification and all that is nested in it, found to be genuine and for this app. Only a ``SignedDataVerifier`` makes
/// one.
///
/// A notification may come more than once; ``NotificationClaims/uuid`` tells.
@dynamicMemberLookup
public struct VerifiedNotification: Hashable, Sendable {
    /// What the notification says.
    public let notification: VerifiedData<NotificationClaims>
    /// The transaction in its data; nil where there is none.
    public let transaction: VerifiedTransaction?
    /// The renewal info in its data; nil where there is none.
    public let renewalInfo: VerifiedRenewalInfo?
    /// The purchase of the app in its data; nil where there is none.
    public let appTransaction: VerifiedAppTransaction?

    /// Each property of the notification's claims.
    public subscript<Value>(dynamicMember keyPath: KeyPath<NotificationClaims, Value>) -> Value {
        notification.claims[keyPath: keyPath]
    }
}
