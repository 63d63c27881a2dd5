// A storefront is not Equatable.
import Foundation
import StoreKit

func same(_ one: Storefront, _ other: Storefront) -> Bool { one == other }
