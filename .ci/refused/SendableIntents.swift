// The sequence of purchase intents is not Sendable.
import Foundation
import StoreKit

func send(_ intents: PurchaseIntent.PurchaseIntents) -> any Sendable { intents }
