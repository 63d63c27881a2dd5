// A shop in the terminal, over a simulated App Store: list, buy, approve, refund, let time pass, and watch what the app hears.
import ExampleSupport
import Foundation
import StoreSimulator

let command = Command(
    "Storefront",
    summary: "A shop in the terminal, over a simulated App Store. Type help in it to see what it understands.",
    options: [
        .configuration, Option("--list", help: "print the catalogue as a table, and end"),
        Option(
            "--json", help: "print every event as a JSON object on a line; with --list, the catalogue as one document"),
        Option("--seed", value: "N", help: "what decides all chance, such as the order of answers; 1 unless given"),
        Option("--resume", value: "FILE", help: "go on with a store that the command save has saved"),
    ])
let arguments = command.arguments()
guard let seed = UInt64(arguments["--seed"] ?? "1") else {
    command.fail(UsageError(description: "--seed takes a whole number from 0 on, such as --seed 7"))
}
if arguments.has("--seed"), arguments.has("--resume") {
    command.fail(UsageError(description: "a saved store has its own seed; right would be --seed or --resume"))
}
if arguments.has("--list") {
    do {
        try printCatalogue(of: command.configuration(arguments), asJSON: arguments.has("--json"))
    } catch {
        command.fail("the catalogue cannot be printed: \(error.localizedDescription)", status: 1)
    }
    exit(0)
}

let output = Output(
    isJSON: arguments.has("--json"), isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1)
let shop: Shop
do {
    if let saved = arguments["--resume"] {
        shop = try await Shop(resuming: URL(filePath: saved), output: output)
    } else {
        shop = Shop(configuration: command.configuration(arguments), seed: seed, output: output)
    }
} catch {
    command.fail("\(error)", status: 1)
}
var input = Input(isTerminal: output.isTerminal)
exit(await shop.open { input.nextLine() } ? 0 : 1)
