import Foundation

/// The bytes of a ledger: one line of text that names the format, the checksum and the length, then the content.
///
///     StoreKitManager ledger 1 af63dc4c8601ec8c 1234
///     {"pendingPurchases":[],"products":{...}}
///
/// Two ledgers with the same first line are the same ledger.
struct LedgerFormat: Sendable {
    /// The file or entry that errors name.
    var place: String
    /// What the app does to the content.
    var encoding: LedgerEncoding

    /// The newest format, and the one that is written.
    static let version = 1
    /// No first line is longer, in bytes.
    static let headerLimit = 128

    /// The bytes of a ledger, and their first line.
    func data(for ledger: Ledger) throws -> (header: Data, data: Data) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = try encoding.encode(encoder.encode(ledger))
        let header = Self.header(of: content)
        return (header, header + content)
    }

    /// The ledger that the bytes hold.
    ///
    /// - Throws: ``LedgerError`` unless every byte is as it was written.
    func ledger(from data: Data) throws -> (header: Data, ledger: Ledger) {
        guard let end = data.prefix(Self.headerLimit).firstIndex(of: UInt8(ascii: "\n")),
            let version = Self.version(inHeader: data[...end])
        else { throw damaged("it does not begin with the line \"\(Self.magic) N CHECKSUM LENGTH\"") }
        if version > Self.version {
            throw LedgerError.newerFormat(place: place, format: version, supported: Self.version)
        }
        let content = Data(data[data.index(after: end)...])
        let header = Self.header(of: content)
        guard header == data[...end] else {
            throw damaged(
                "its first line is \(Self.text(data[...end])), and should be \(Self.text(header)) for its content")
        }
        do {
            return (header, try JSONDecoder().decode(Ledger.self, from: encoding.decode(content)))
        } catch {
            throw damaged("its content cannot be read: \(error)")
        }
    }

    private func damaged(_ reason: String) -> LedgerError { .damaged(place: place, reason: reason) }

    private static let magic = "StoreKitManager ledger"

    private static func header(of content: Data) -> Data {
        Data("\(magic) \(version) \(content.checksum) \(content.count)\n".utf8)
    }

    private static func version(inHeader header: Data) -> Int? {
        let words = String(decoding: header.dropLast(), as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false)
        guard words.count == 5, words.prefix(2).joined(separator: " ") == magic, let version = Int(words[2]),
            version > 0
        else { return nil }
        return version
    }

    private static func text(_ header: Data) -> String {
        "\"" + String(decoding: header.dropLast(), as: UTF8.self) + "\""
    }
}
