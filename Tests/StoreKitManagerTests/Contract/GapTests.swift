import Foundation
import Testing

/// The tests that follow are skipped where a StoreKit cannot give what they are about; each reason is printed here.
struct GapTests {
    @Test("A01 what a StoreKit cannot give has a row on the page that tells so", arguments: StoreGap.allCases)
    func documented(gap: StoreGap) throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/StoreKitManager/StoreKitManager.docc/WhatEachStoreKitGives.md")
        let rows = try String(contentsOf: page.standardized, encoding: .utf8).split(separator: "\n")
        #expect(rows.filter { $0.hasPrefix("| \(gap.rawValue) |") }.count == 1)
    }
}
