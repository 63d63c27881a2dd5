// The iterator of a sequence of transactions is not Sendable.
import Foundation
import StoreKit

func send(_ iterator: Transaction.Transactions.AsyncIterator) -> any Sendable { iterator }
