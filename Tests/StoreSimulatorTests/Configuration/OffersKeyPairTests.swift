import Foundation
import StoreSimulator
import Testing

@Suite("The key that signs offers")
struct OffersKeyPairTests {
    /// The base64 of "not a key".
    private static let secret = "bm90IGEga2V5"

    @Test("C07 the key is there for those who sign")
    func use() throws {
        let keyPair = try #require(Fixture.configuration("v2.0").offersKeyPair)
        #expect(keyPair.id == "D4D4D4D4")
        #expect(keyPair.privateKey.derRepresentation == Data("not a key".utf8))
    }

    @Test("C07 an emptied key, and text that is no base64, are no key", arguments: ["", "YOUR_KEY!"])
    func noKey(text: String) {
        #expect(StoreConfiguration.PrivateKey(base64: text).derRepresentation == nil)
    }

    @Test("C07 whatever prints, dumps or mirrors a configuration never shows the key", arguments: Printing.allCases)
    func secrecy(printing: Printing) throws {
        let configuration = try Fixture.configuration("v2.0")
        let texts = [
            printing.text(of: configuration), printing.text(of: try #require(configuration.offersKeyPair)),
            printing.text(of: try #require(configuration.offersKeyPair).privateKey),
        ]
        for text in texts {
            #expect(!text.contains(Self.secret))
            #expect(!text.contains("not a key"))
        }
        #expect(texts[1].contains("D4D4D4D4"))
    }

    @Test("C07 an error about the key does not show it")
    func errors() throws {
        let text = try String(decoding: Fixture.data("v2.0"), as: UTF8.self)
        let broken = [
            text.replacing("\"\(Self.secret)\"", with: "[\"\(Self.secret)\"]"),
            text.replacing("\"\(Self.secret)\"", with: "\"\(Self.secret)"),
            text.replacing("\"\(Self.secret)\"", with: "\"\(Self.secret)\\q\""),
        ]
        for text in broken {
            let error = #expect(throws: StoreConfigurationError.self) {
                try StoreConfiguration(data: Data(text.utf8))
            }
            #expect(!String(reflecting: error).contains(Self.secret))
        }
    }

    enum Printing: CaseIterable {
        case description, debugDescription, dump, mirror

        func text(of value: Any) -> String {
            switch self {
            case .description: return String(describing: value)
            case .debugDescription: return String(reflecting: value)
            case .dump:
                var text = ""
                Swift.dump(value, to: &text)
                return text
            case .mirror: return leaves(of: value).joined(separator: " ")
            }
        }

        private func leaves(of value: Any) -> [String] {
            let children = Mirror(reflecting: value).children
            return children.isEmpty ? ["\(value)"] : children.flatMap { leaves(of: $0.value) }
        }
    }
}
