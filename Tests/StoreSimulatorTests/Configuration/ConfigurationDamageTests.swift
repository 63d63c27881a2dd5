import Foundation
import StoreSimulator
import TestSupport
import Testing

@Suite("A configuration file that was damaged")
struct ConfigurationDamageTests {
    @Test("C01 every truncation gives an error that names the end of what is left", arguments: ["v3.0", "handmade"])
    func truncatedFixture(name: String) throws {
        try expectPlaces(inTruncationsOf: Fixture.data(name))
    }

    @Test(
        "C01 every truncation of a real file gives an error that names the end of what is left",
        .enabled(if: Corpus.isAvailable, "there is no corpus beside the project"),
        arguments: ["v1.1-02", "v6.3-02"])
    func truncatedCorpusFile(name: String) throws {
        try expectPlaces(inTruncationsOf: Data(contentsOf: Corpus.url("storekit/\(name).storekit")))
    }

    private func expectPlaces(inTruncationsOf data: Data) throws {
        let end = try #require(data.lastIndex(of: UInt8(ascii: "}")))
        for length in 0..<end {
            let rest = data.prefix(length)
            let error = #expect(throws: StoreConfigurationError.self) { try StoreConfiguration(data: rest) }
            guard case .offset(let byte, let line)? = error?.place else {
                Issue.record("\(length) bytes: no place in \(String(describing: error))")
                continue
            }
            // A character that was cut through is faulty where it begins.
            #expect((length - 3...length).contains(byte), "\(length) bytes")
            #expect(line == rest.count { $0 == UInt8(ascii: "\n") } + 1, "\(length) bytes")
        }
    }

    @Test(
        "C01 another byte at any place loads, or gives an error with a place",
        arguments: [0, 0x20, 0x22, 0x30, 0x7B, 0xFF])
    func otherBytes(byte: UInt8) throws {
        let data = try Fixture.data("handmade")
        for index in data.indices {
            var mutant = data
            mutant[index] = byte
            do {
                _ = try StoreConfiguration(data: mutant)
            } catch {
                #expect(error.place != .file, "byte \(index)")
            }
        }
    }

    /// One value of each JSON type, and some more that are of the right type and wrong all the same.
    private static let replacements: [JSONValue?] = [
        .null, .bool(true), .number(7), .number(-1.5), .number(1e300), .string("x"), .string(""), .array([]),
        .array([.null]), .object([:]), .object(["x": .number(1)]), nil,
    ]

    @Test(
        "C01 another type, null or nothing at any key loads, or gives an error with the key path",
        arguments: Fixture.names)
    func mutations(name: String) throws {
        let document = try JSONValue(data: Fixture.data(name))
        for path in document.paths {
            for replacement in Self.replacements {
                let mutant = try document.replacing(path, with: replacement).data()
                do {
                    _ = try StoreConfiguration(data: mutant)
                } catch {
                    guard case .keyPath(let place) = error.place else {
                        Issue.record("\(path.text) = \(String(describing: replacement)): no key path in \(error)")
                        continue
                    }
                    #expect(place.hasPrefix(path.text), "\(path.text) = \(String(describing: replacement))")
                    #expect(!error.problem.isEmpty && !error.remedy.isEmpty)
                }
            }
        }
    }

    @Test("C01 no key that means something takes a value of another type in silence")
    func wrongTypesAreNoticed() throws {
        let document = try JSONValue(data: Fixture.data("v4.0"))
        var unnoticed: Set<String> = []
        for path in document.paths {
            let value = try #require(document[path])
            let wrong: JSONValue = if case .object = value { .bool(true) } else { .object(["x": .null]) }
            let mutant = try document.replacing(path, with: wrong).data()
            if (try? StoreConfiguration(data: mutant)) != nil, case .key(let key)? = path.last { unnoticed.insert(key) }
        }
        #expect(
            unnoticed == [
                // Keys that this package has no use for.
                "promotionalImageID", "adoptingMetadata", "applicationUsername", "_shouldSetupSyncOnLoad",
                // The group that a subscription stands in counts.
                "subscriptionGroupID",
            ])
    }
}
