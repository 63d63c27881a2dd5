// The proof with real processes: an app that buys is killed at random instants, again and again, on the same files. At the end
// the store's history and the ledger must agree, to the last coin.
import ExampleSupport
import Foundation

let command = Command(
    "CrashProof", summary: "Kills an app that buys, again and again, and compares what it paid with what it has.",
    options: [
        Option("--kills", value: "N", help: "how often to kill; 300 by default"),
        Option("--seed", value: "N", help: "what decides all chance; another one each time by default"),
        Option("--buyer", value: "DIR", help: "be the app that is killed, on the files in this folder"),
        Option("--last", help: "be the app, but only deal with what is there"),
    ])
let arguments = command.arguments()
let seed = command.number("--seed", arguments) ?? UInt64.random(in: 1...999_999)

#if os(macOS) || os(Linux)
if let folder = arguments["--buyer"] {
    let buyer = try Buyer(folder: URL(filePath: folder, directoryHint: .isDirectory), seed: seed)
    try await buyer.run(isLast: arguments.has("--last"))
} else {
    let kills = command.number("--kills", arguments) ?? 300
    var killer = Killer(seed: seed)
    exit(try await killer.run(kills: Int(clamping: kills)))
}
#else
command.fail("there are no processes to kill on this system", status: 1)
#endif
