// The queue's name in Objective-C is not its name in Swift.
import Foundation
import StoreKit

func queue() -> SKPaymentQueue { SKPaymentQueue.defaultQueue() }
