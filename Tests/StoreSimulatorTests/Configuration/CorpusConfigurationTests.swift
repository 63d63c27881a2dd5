import Foundation
import StoreSimulator
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isAvailable, "there is no corpus beside the project"))
struct CorpusConfigurationTests {
    static let names = Corpus.files(in: "storekit", endingIn: ".expected.json").map {
        String($0.dropLast(".expected.json".count))
    }

    @Test("C01 the corpus holds its 74 readable files")
    func count() {
        #expect(Self.names.count == 74)
    }

    @Test("C01 a real file gives exactly the products, prices, periods and offers that it holds", arguments: names)
    func listing(name: String) throws {
        let configuration = try StoreConfiguration(contentsOf: Corpus.url("storekit/\(name).storekit"))
        let expected = try Data(contentsOf: Corpus.url("storekit/\(name).expected.json"))
        #expect(try JSONValue(data: configuration.listing.jsonData()) == JSONValue(data: expected))
    }

    @Test("C01 the table of a real file has a line for each product", arguments: names)
    func table(name: String) throws {
        let configuration = try StoreConfiguration(contentsOf: Corpus.url("storekit/\(name).storekit"))
        let lines = configuration.table().split(separator: "\n")
        #expect(lines.count == configuration.products.count + 1)
        for (line, product) in zip(lines.dropFirst(), configuration.products) { #expect(line.contains(product.id)) }
    }

    @Test("C01 an empty file gives an error with the place")
    func empty() throws {
        let error = #expect(throws: StoreConfigurationError.self) {
            try StoreConfiguration(contentsOf: Corpus.url("storekit/empty.storekit"))
        }
        #expect(error?.file == "empty.storekit")
        #expect(error?.place == .offset(0, line: 1))
    }
}
