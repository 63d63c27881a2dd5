// A product cannot be made by an app, neither can a transaction.
import Foundation
import StoreKit

func make() -> Any { Product(source: 1, jsonRepresentation: Data()) }
