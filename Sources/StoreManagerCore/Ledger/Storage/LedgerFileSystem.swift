package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a ledger's file needs of the system, and no more, so that tests can let each step fail.
protocol LedgerFileSystem: Sendable {
    /// Makes the folder and those above it, where they are missing, and syncs each into the one above it.
    func createFolder(_ path: String) throws

    /// Runs `body` while no other holder of this lock does, in this process or another.
    func withLock<Result>(onFolder path: String, _ body: () throws -> Result) throws -> Result

    /// The first bytes of a file, `count` at most; nil where there is no file.
    func read(_ path: String, upTo count: Int) throws -> Data?

    /// Makes a file, or makes it anew, and returns when its bytes are on the disk.
    func writeSynced(_ data: Data, to path: String) throws

    /// Puts one file in the place of another, in one step.
    func rename(_ path: String, to newPath: String) throws

    /// Returns when the names in the folder are on the disk.
    func syncFolder(_ path: String) throws

    /// Removes a file, if it is there.
    func remove(_ path: String)
}

/// The system's own files.
package struct SystemFileSystem: LedgerFileSystem, Sendable {
    package init() {}

    package func createFolder(_ path: String) throws {
        guard access(path, F_OK) != 0, errno == ENOENT else { return }
        let parent = URL(filePath: path).deletingLastPathComponent().path
        try createFolder(parent)
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw fileError(errno, "make the folder", path) }
        try syncFolder(parent)
    }

    func withLock<Result>(onFolder path: String, _ body: () throws -> Result) throws -> Result {
        // The folder itself is locked: it needs no file of its own, and can be locked where nothing can be written. The lock
        // belongs to the open descriptor and ends with it, also when the process is killed.
        try withDescriptor(path, O_RDONLY | O_DIRECTORY) { descriptor in
            while flock(descriptor, LOCK_EX) != 0 {
                if errno != EINTR { throw fileError(errno, "lock", path) }
            }
            return try body()
        }
    }

    package func read(_ path: String, upTo count: Int) throws -> Data? {
        do {
            return try withDescriptor(path, O_RDONLY) { try readAll(from: $0, path, upTo: count) }
        } catch let error as NSError where error.domain == NSPOSIXErrorDomain && error.code == Int(ENOENT) {
            return nil
        }
    }

    package func writeSynced(_ data: Data, to path: String) throws {
        try writeSynced(data, to: path, O_CREAT | O_TRUNC)
    }

    /// Adds to the end of a file that is there, and returns when its bytes are on the disk.
    package func appendSynced(_ data: Data, to path: String) throws {
        try writeSynced(data, to: path, O_APPEND)
    }

    package func rename(_ path: String, to newPath: String) throws {
        #if canImport(Darwin)
        let result = Darwin.rename(path, newPath)
        #elseif canImport(Musl)
        let result = Musl.rename(path, newPath)
        #else
        let result = Glibc.rename(path, newPath)
        #endif
        if result != 0 { throw fileError(errno, "replace", newPath) }
    }

    package func syncFolder(_ path: String) throws {
        try withDescriptor(path, O_RDONLY | O_DIRECTORY) { try sync($0, path) }
    }

    package func remove(_ path: String) { unlink(path) }

    private func withDescriptor<Result>(_ path: String, _ flags: Int32, _ body: (Int32) throws -> Result) throws
        -> Result
    {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fileError(errno, "open", path) }
        defer { close(descriptor) }
        return try body(descriptor)
    }

    private func writeSynced(_ data: Data, to path: String, _ flags: Int32) throws {
        try withDescriptor(path, O_WRONLY | flags) { descriptor in
            try data.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if written < 0, errno == EINTR { continue }
                    guard written > 0 else { throw fileError(errno, "write", path) }
                    rest = rest.dropFirst(written)
                }
            }
            try sync(descriptor, path)
        }
    }

    private func readAll(from descriptor: Int32, _ path: String, upTo count: Int) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: min(count, 1 << 16))
        while data.count < count {
            let wanted = min(buffer.count, count - data.count)
            let received = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, wanted) }
            if received < 0, errno == EINTR { continue }
            if received < 0 { throw fileError(errno, "read", path) }
            if received == 0 { break }
            data.append(contentsOf: buffer.prefix(received))
        }
        return data
    }

    private func sync(_ descriptor: Int32, _ path: String) throws {
        #if canImport(Darwin)
        // `fsync` leaves the bytes in the drive's own memory there; not every volume knows the stronger call.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            if errno != EINTR { throw fileError(errno, "sync", path) }
        }
    }
}

/// An error of the system that says what could not be done, and where.
private func fileError(_ code: Int32, _ action: String, _ path: String) -> NSError {
    NSError(
        domain: NSPOSIXErrorDomain, code: Int(code),
        userInfo: [NSLocalizedDescriptionKey: "could not \(action) \(path): \(String(cString: strerror(code)))"])
}

/// The system's `read`, which has the same name as a method above.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
