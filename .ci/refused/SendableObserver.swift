// An observer is not Sendable.
import Foundation
import StoreKit

func send(_ observer: any SKPaymentTransactionObserver) -> any Sendable { observer }
