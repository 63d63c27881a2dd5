import ExampleSupport
import Foundation

let command = Command(
    "Storefront", summary: "Shows what a store sells.",
    options: [
        .configuration, Option("--list", help: "print the catalogue as a table"),
        Option("--json", help: "with --list: print it as one JSON document"),
    ])
let arguments = command.arguments()
guard arguments.has("--list") else {
    command.fail(UsageError(description: "there is nothing to do; right would be --list or --list --json"))
}
try printCatalogue(of: command.configuration(arguments), asJSON: arguments.has("--json"))
