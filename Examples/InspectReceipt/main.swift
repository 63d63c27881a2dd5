// Reads receipts and signed data as a person would, checks them, and tells the verdict with its reason.
import ExampleSupport
import Foundation

let command = Command(
    "InspectReceipt",
    summary: """
        Prints app receipts and JWS, told apart by their content, and whether they are genuine.
        Exit status: 0 all are valid, 2 one cannot be read, 1 otherwise, 64 wrong command line.
        """,
    options: Checks.options + [Option("--json", help: "print one JSON object a file, each on a line")],
    operands: "FILE...")
let arguments = command.arguments()
let inspector: Inspector
do throws(UsageError) {
    guard !arguments.operands.isEmpty else {
        throw UsageError(description: "no file is named; right would be InspectReceipt receipt.der")
    }
    inspector = Inspector(checks: try Checks(arguments))
} catch {
    command.fail(error)
}

var inspections: [Inspection] = []
for file in arguments.operands {
    let inspection = inspector.inspect(file)
    if arguments.has("--json") {
        print(inspection.jsonLine)
    } else {
        print(inspections.isEmpty ? "" : "\n", inspection.text, separator: "", terminator: "")
    }
    inspections.append(inspection)
}
let verdicts = Set(inspections.map(\.verdict))
exit(verdicts == [.valid] ? 0 : verdicts.contains(.unreadable) ? 2 : 1)
