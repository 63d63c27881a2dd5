import TestSupport
import Testing

/// All tests of the double: it has one store, so they run one after the other.
@Suite(.serialized, .overTheStore)
enum StoreKitDoubleTests {}
