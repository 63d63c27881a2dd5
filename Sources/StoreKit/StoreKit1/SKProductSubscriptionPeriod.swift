public import Foundation
import StoreManagerCore

// `@unchecked Sendable` is right because all that is stored is immutable and Sendable.
/// How long one period of a subscription, or of an offer, lasts.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let period: StoreSubscriptionPeriod

    /// A period of no length.
    public override init() { period = StoreSubscriptionPeriod(value: 0, unit: .day) }

    init(_ period: StoreSubscriptionPeriod) { self.period = period }

    /// How many units.
    open var numberOfUnits: Int { period.value }
    /// Which unit.
    open var unit: SKProduct.PeriodUnit {
        switch period.unit {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}
