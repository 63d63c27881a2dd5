import TestSupport
import Testing

/// All tests over the double of StoreKit: it has one store, so they run one after the other.
@Suite(.serialized, .overTheStore)
enum StoreKitManagerTests {}
