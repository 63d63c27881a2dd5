// A payment is not Sendable.
import Foundation
import StoreKit

func send(_ payment: SKPayment) -> any Sendable { payment }
