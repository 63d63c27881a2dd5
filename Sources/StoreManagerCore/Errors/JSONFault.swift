package import Foundation

/// The place where data stops being JSON.
///
/// `JSONDecoder` names no place, and passes over faults in what it does not read; `JSONSerialization` names one for most
/// faults, in its error's text or user info.
package struct JSONFault: Sendable {
    /// What Foundation's parser says of it.
    package let message: String
    /// The byte, counted from 0; the number of bytes where the data breaks off.
    package let offset: Int
    /// Its line, counted from 1.
    package let line: Int
    /// Whether there is just too little data.
    package let isTruncation: Bool

    /// Finds the fault; nil where the data is JSON.
    package init?(in data: Data) {
        guard let complaint = Complaint(about: data), let offset = complaint.offset(in: data) else { return nil }
        message = complaint.message
        self.offset = offset
        line = data.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
        isTruncation = offset >= data.count
    }
}

/// What Foundation's parser finds wrong.
private struct Complaint {
    let message: String
    let index: Int?

    init?(about data: Data) {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
            return nil
        } catch {
            let userInfo = (error as NSError).userInfo
            message = userInfo["NSDebugDescription"] as? String ?? ""
            index = userInfo["NSJSONSerializationErrorIndex"] as? Int
        }
    }

    func offset(in data: Data) -> Int? {
        if let index { return index }
        if let match = message.firstMatch(of: /(character|at) ([0-9]+)/) { return Int(match.2) }
        if message.contains("end of file during JSON parse") { return data.count }
        // A number out of range is JSON all the same.
        if message.hasPrefix("Number ") { return nil }
        return shortestPrefix(of: data) - 1
    }

    /// The length of the shortest beginning of the data that is found wrong in the same way: it ends with the fault.
    private func shortestPrefix(of data: Data) -> Int {
        var tooShort = 0
        var enough = data.count
        while enough - tooShort > 1 {
            let length = (tooShort + enough) / 2
            if Complaint(about: data.prefix(length))?.message == message { enough = length } else { tooShort = length }
        }
        return enough
    }
}
