// Endurance: random lives of an app over a simulated store, with a model beside them that knows what must not happen. What goes
// wrong is told by a seed and by the shortest list of steps that shows it.
import ExampleSupport
import Foundation

let command = Command(
    "Soak", summary: "Lets an app live through everything that can happen, and looks after each step.",
    options: [
        Option("--steps", value: "N", help: "how many steps to take; 100000 by default"),
        Option("--seed", value: "N", help: "what decides all chance; another one each time by default"),
        Option(
            "--replay", value: "FILE",
            help: "live one scenario again, and tell all that happens; - reads standard input"),
    ])
let arguments = command.arguments()
executeSerially()

if let file = arguments["--replay"] {
    do {
        let data =
            try file == "-" ? FileHandle.standardInput.readToEnd() ?? Data() : Data(contentsOf: URL(filePath: file))
        exit(await Soak.replay(try Scenario(text: String(decoding: data, as: UTF8.self))) ? 0 : 1)
    } catch {
        command.fail("\(file) cannot be replayed: \(error)", status: 1)
    }
}
let soak = Soak(
    stepCount: Int(clamping: command.number("--steps", arguments) ?? 100_000),
    seed: UInt32(truncatingIfNeeded: command.number("--seed", arguments) ?? UInt64.random(in: 1...999_999)),
    showsProgress: isatty(STDOUT_FILENO) == 1)
exit(await soak.run() ? 0 : 1)
