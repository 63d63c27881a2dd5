// Buying happens on the main actor, so that it takes an `await`.
import Foundation
import StoreKit

func buy(_ product: Product) throws -> Product.PurchaseResult { try product.purchase() }
