import Foundation
import StoreManagerCore

// Writes purchases of one coin into a ledger's file, each with an identifier that begins with NAME, and prints one line for
// each when it is on the disk. The tests run several at a time, and kill them.
//
//     LedgerWriter FILE NAME COUNT

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
    FileHandle.standardError.write(Data("usage: LedgerWriter FILE NAME COUNT\n".utf8))
    exit(2)
}
let ledger = FilePersistence(url: URL(filePath: arguments[1]))
for number in 0..<count {
    try await ledger.persist(
        StoreTransaction(
            id: "\(arguments[2])-\(number)", productIdentifier: "coins", productType: .consumable, state: .purchased,
            purchaseDate: Date(timeIntervalSince1970: Double(number))))
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
}
