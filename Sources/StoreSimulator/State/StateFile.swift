import Foundation
import StoreManagerCore

/// A file that holds a store: a line that names the format, a line with how the store was at first, and a line for every step
/// since, each with its checksum in front.
///
///     StoreSimulator state 1
///     af63dc4c8601ec8c {"accounts":[...],...}
///     85944171f73967e8 {"action":{...},"date":757382400}
///
/// A step is saved by adding a line. A process that is killed while it does leaves a last line without its end, which is no
/// damage: nothing of that step had been told to anybody.
struct StateFile: Sendable {
    let url: URL
    private let files = SystemFileSystem()

    init(url: URL) { self.url = url }

    /// The newest format, and the one that is written.
    static let version = 1

    private static let magic = "StoreSimulator state"

    /// Writes a recording; afterwards the old content is there or the new, never half of it.
    func write(_ recording: StoreRecording) throws(StoreStateError) {
        do {
            var data = Data("\(Self.magic) \(Self.version)\n".utf8)
            data += try Self.line(recording.start)
            for step in recording.steps { data += try Self.line(step) }
            let folder = url.deletingLastPathComponent().path
            let temporary = url.path + ".new"
            try files.createFolder(folder)
            try files.writeSynced(data, to: temporary)
            try files.rename(temporary, to: url.path)
            try files.syncFolder(folder)
        } catch {
            throw .unwritable(file: url.path, underlying: error)
        }
    }

    /// Adds steps to the recording in the file; returns when they are on the disk.
    func append(_ steps: [StoreRecording.Step]) throws(StoreStateError) {
        do {
            var data = Data()
            for step in steps { data += try Self.line(step) }
            try files.appendSynced(data, to: url.path)
        } catch {
            throw .unwritable(file: url.path, underlying: error)
        }
    }

    /// Reads the recording.
    func read() throws(StoreStateError) -> StoreRecording {
        let content: Data?
        do {
            content = try files.read(url.path, upTo: .max)
        } catch {
            throw .unreadable(file: url.path, underlying: error)
        }
        guard let content else {
            throw .unreadable(file: url.path, underlying: CocoaError(.fileReadNoSuchFile))
        }
        var lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = lines.removeLast()
        try checkHeader(lines.first)
        guard lines.count > 1 else { throw damaged("it breaks off before the store") }
        var recording = StoreRecording(start: try value(of: lines[1], at: 2))
        for (index, line) in lines.enumerated().dropFirst(2) {
            recording.steps.append(try value(of: line, at: index + 1))
        }
        // What is left has no end of line. With one byte off it may be a whole line, whose end was changed.
        if Self.content(of: rest.dropLast()) != nil { throw damaged("line \(lines.count + 1) does not end") }
        return recording
    }

    private func checkHeader(_ line: Data?) throws(StoreStateError) {
        let words = line.map {
            String(decoding: $0, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        }
        guard let words, words.count == 3, words.prefix(2).joined(separator: " ") == Self.magic,
            let version = Int(words[2]), version > 0
        else { throw damaged("it does not begin with the line \"\(Self.magic) N\"") }
        if version > Self.version {
            throw .newerFormat(file: url.path, format: version, supported: Self.version)
        }
    }

    private func value<Value: Decodable>(of line: Data, at number: Int) throws(StoreStateError) -> Value {
        guard let content = Self.content(of: line) else {
            throw damaged("line \(number) does not have the checksum that it begins with")
        }
        do {
            return try JSONDecoder().decode(Value.self, from: content)
        } catch {
            throw damaged("line \(number) cannot be read: \(error)")
        }
    }

    private func damaged(_ reason: String) -> StoreStateError { .damaged(file: url.path, reason: reason) }

    private static func line(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = try encoder.encode(value)
        return Data("\(content.checksum) ".utf8) + content + Data("\n".utf8)
    }

    /// The content of a line; nil where it has not the checksum that stands before it.
    private static func content(of line: Data) -> Data? {
        let checksumLength = 16
        guard line.count > checksumLength + 1, line.dropFirst(checksumLength).first == UInt8(ascii: " ") else {
            return nil
        }
        let content = Data(line.dropFirst(checksumLength + 1))
        return Data(content.checksum.utf8) == line.prefix(checksumLength) ? content : nil
    }
}
