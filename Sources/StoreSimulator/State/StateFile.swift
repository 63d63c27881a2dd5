import Foundation
import StoreManagerCore

/// A file that holds a store: a line that names the format, a line with how the store was at first, a line for every step
/// taken, and a line that says how many these are. Where the store goes on to save itself, a line follows for every step since.
///
///     StoreSimulator state 1
///     af63dc4c8601ec8c start {"accounts":[...],...}
///     85944171f73967e8 step {"action":{...},"date":757382400}
///     5b0c91d2f6e83a47 saved {"goesOn":false,"steps":1}
///
/// In front of each line stands the checksum of the line together with the checksum before it, so that no line can be missing,
/// repeated or in another place. A step is saved by adding a line. A process that is killed while it does leaves a last line
/// without its end, which is no damage: nothing of that step had been told to anybody.
struct StateFile: Sendable {
    let url: URL
    private let files = SystemFileSystem()

    init(url: URL) { self.url = url }

    /// The newest format, and the one that is written.
    static let version = 1

    /// Writes a recording; afterwards the old content is there or the new, never half of it.
    ///
    /// - Parameter goesOn: Whether steps are going to be added.
    /// - Returns: what the first of these has to follow.
    @discardableResult
    func write(_ recording: StoreRecording, goesOn: Bool) throws(StoreStateError) -> StateLine.Checksum {
        do {
            let header = Data("\(Self.magic) \(Self.version)".utf8)
            var data = header + Data("\n".utf8)
            var last = header.checksum
            data += try StateLine.written(.start, recording.start, after: &last)
            for step in recording.steps { data += try StateLine.written(.step, step, after: &last) }
            let mark = SavedMark(steps: recording.steps.count, goesOn: goesOn)
            data += try StateLine.written(.saved, mark, after: &last)
            let folder = url.deletingLastPathComponent().path
            let temporary = url.path + ".new"
            try files.createFolder(folder)
            try files.writeSynced(data, to: temporary)
            try files.rename(temporary, to: url.path)
            try files.syncFolder(folder)
            return last
        } catch {
            throw .unwritable(file: url.path, underlying: error)
        }
    }

    /// Adds steps to the recording in the file; returns when they are on the disk.
    ///
    /// - Parameter last: What the first of them follows; afterwards what the next one has to follow.
    func append(_ steps: [StoreRecording.Step], after last: inout StateLine.Checksum) throws(StoreStateError) {
        do {
            var (data, next) = (Data(), last)
            for step in steps { data += try StateLine.written(.step, step, after: &next) }
            try files.appendSynced(data, to: url.path)
            last = next
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
        var last = lines[0].checksum
        var recording: StoreRecording?
        var mark: SavedMark?
        for (index, bytes) in lines.enumerated().dropFirst() {
            let number = index + 1
            guard let line = StateLine(bytes, after: last) else {
                throw damaged("line \(number) has not the checksum that it begins with, or does not belong there")
            }
            last = line.checksum
            switch line.kind {
            case .start: recording = StoreRecording(start: try value(of: line, at: number))
            case .step: recording?.steps.append(try value(of: line, at: number))
            case .saved: mark = try value(of: line, at: number)
            }
            if line.kind != .saved, mark?.goesOn == false { throw damaged("line \(number) stands behind the end") }
        }
        guard let recording, let mark, mark.steps <= recording.steps.count else {
            throw damaged("it breaks off after line \(lines.count)")
        }
        try checkRest(rest, after: last, mark)
        return recording
    }

    /// What is left has no end of line, as a step whose saving was broken off.
    private func checkRest(
        _ rest: Data, after last: StateLine.Checksum, _ mark: SavedMark
    ) throws(StoreStateError) {
        guard !rest.isEmpty else { return }
        guard mark.goesOn, StateLine.isBeginningOfStep(rest) else {
            throw damaged("something else stands behind its end")
        }
        // With one byte off it may be a whole line, whose end was changed.
        if StateLine(rest.dropLast(), after: last) != nil { throw damaged("its last line does not end") }
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

    private func value<Value: Decodable>(of line: StateLine, at number: Int) throws(StoreStateError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: line.content)
        } catch {
            throw damaged("line \(number) cannot be read: \(error)")
        }
    }

    private func damaged(_ reason: String) -> StoreStateError { .damaged(file: url.path, reason: reason) }

    private static let magic = "StoreSimulator state"
}

/// Where a store was saved whole.
private struct SavedMark: Codable {
    /// How many steps stand before it.
    var steps: Int
    /// Whether steps may follow.
    var goesOn: Bool
}
