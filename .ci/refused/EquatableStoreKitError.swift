// A StoreKitError is not Equatable.
import Foundation
import StoreKit

func same(_ one: StoreKitError, _ other: StoreKitError) -> Bool { one == other }
