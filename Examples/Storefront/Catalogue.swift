import Foundation
import StoreSimulator

/// Prints what a configuration sells: a table for people, or one JSON document for programs.
func printCatalogue(of configuration: StoreConfiguration, asJSON: Bool) throws {
    let text = asJSON ? try configuration.listing.jsonData() : Data(configuration.table().utf8)
    try FileHandle.standardOutput.write(contentsOf: text)
}
