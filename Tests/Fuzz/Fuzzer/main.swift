// What libFuzzer calls. Which target it feeds stands in the environment, so that one executable serves all of them.
import Foundation
import FuzzTargets

private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        FileHandle.standardError.write(Data("FUZZ_TARGET is \"\(name)\"; right would be one of \(names)\n".utf8))
        exit(64)
    }
    return target
}()

/// Called once, before the first input.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    MainActor.assumeIsolated { JobQueue.takeOver() }
    return 0
}

/// Called for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = start.map { Data(bytes: $0, count: count) } ?? Data()
    MainActor.assumeIsolated { JobQueue.run { await target.read(bytes) } }
    return 0
}
