import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Reading ASN.1")
struct ASN1ReaderTests {
    private func read(_ bytes: [UInt8], _ rules: ASN1Reader.Rules = .distinguished) throws -> ASN1Element {
        let bytes = ContiguousArray(bytes)
        var reader = ASN1Reader(0..<bytes.count, rules: rules)
        let element = try reader.read("an element", from: bytes.span)
        try reader.finish("the input")
        return element
    }

    @Test(
        "Elements of every kind of length are found",
        arguments: [
            ([0x04, 0x00], 2..<2), ([0x04, 0x01, 0xAA], 2..<3),
            ([0x04, 0x7F] + .init(repeating: 1, count: 127), 2..<129),
            ([0x04, 0x81, 0x80] + .init(repeating: 1, count: 128), 3..<131),
            ([0x04, 0x82, 0x01, 0x00] + .init(repeating: 1, count: 256), 4..<260),
        ] as [([UInt8], Range<Int>)])
    func lengths(_ bytes: [UInt8], _ content: Range<Int>) throws {
        #expect(try read(bytes).content == content)
        #expect(try read(bytes, .basic).content == content)
    }

    @Test(
        "Only the basic rules allow longer and indefinite lengths",
        arguments: [
            ([0x04, 0x81, 0x01, 0xAA], 3..<4), ([0x04, 0x84, 0, 0, 0, 1, 0xAA], 6..<7),
            ([0x30, 0x80, 0x00, 0x00], 2..<2),
            ([0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00], 2..<5),
            ([0x30, 0x80, 0x30, 0x80, 0x00, 0x00, 0x04, 0x02, 0x00, 0x00, 0x00, 0x00], 2..<10),
        ] as [([UInt8], Range<Int>)])
    func basic(_ bytes: [UInt8], _ content: Range<Int>) throws {
        #expect(try read(bytes, .basic).content == content)
        #expect(throws: MalformedInput.self) { try read(bytes) }
    }

    @Test(
        "X03 what is no element is an error with its place",
        arguments: [
            ([], 0), ([0x04], 0), ([0x04, 0x02, 0x01], 0), ([0x04, 0x81], 1), ([0x04, 0x85, 0, 0, 0, 0, 1, 0xAA], 1),
            ([0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], 0), ([0x1F, 0x00], 0), ([0x00, 0x00], 0),
            ([0x04, 0x80, 0x00, 0x00], 1),
            ([0x30, 0x80], 0), ([0x30, 0x80, 0x02, 0x01, 0x05], 0), ([0x30, 0x80, 0x02, 0x09, 0x00, 0x00], 2),
            ([0x04, 0x00, 0x00], 2),
        ] as [([UInt8], Int)])
    func malformed(_ bytes: [UInt8], _ offset: Int) async {
        #expect(await malformation { try read(bytes, .basic) }?.offset == offset)
    }

    @Test("X03 elements of indefinite length may lie only so deep in one another, and cost no more for it")
    func depth() async {
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeating: [0x30, 0x80] as [UInt8], count: depth).joined() + Array(repeating: 0, count: 2 * depth)
        }
        #expect(await malformation { try read(nested(ASN1Reader.maximumDepth), .basic) } == nil)
        #expect(await malformation { try read(nested(ASN1Reader.maximumDepth + 1), .basic) }?.offset == 32)
        #expect(await malformation { try read(nested(1_000_000), .basic) }?.offset == 32)
    }

    @Test(
        "Integers of up to 64 bits are read",
        arguments: [0, 1, -1, 127, 128, -128, -129, 255, 256, 32_767, 32_768, -32_768, 1 << 40, .max, .min] as [Int64])
    func integers(_ value: Int64) throws {
        let bytes = ContiguousArray(DER.integer(value))
        #expect(try bytes.span.integer(read(Array(bytes))) == value)
    }

    @Test("X03 integers that are empty or too large are errors")
    func wrongIntegers() throws {
        for bytes in [[0x02, 0x00], [0x02, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 9]] as [[UInt8]] {
            let element = try read(bytes)
            #expect(throws: MalformedInput.self) { try ContiguousArray(bytes).span.integer(element) }
        }
    }

    @Test("Object identifiers are written with dots")
    func identifiers() {
        #expect(ObjectIdentifier.receiptSigning.description == "1.2.840.113635.100.6.11.1")
        #expect(ObjectIdentifier.sha256.description == "2.16.840.1.101.3.4.2.1")
        #expect(ObjectIdentifier.p384.description == "1.3.132.0.34")
    }

    @Test("X03 no input of any kind traps, hangs or is read beyond its end", arguments: 0..<20)
    func random(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let bytes = ContiguousArray<UInt8>(
                (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                    // Mostly octets that mean something.
                    Bool.random(using: &generator)
                        ? [0x30, 0x31, 0x02, 0x04, 0x24, 0x80, 0x00, 0xA0].randomElement(using: &generator) ?? 0
                        : UInt8.random(in: 0...255, using: &generator)
                })
            var reader = ASN1Reader(0..<bytes.count, rules: .basic)
            while !reader.isAtEnd, let element = try? reader.read("an element", from: bytes.span) {
                #expect(element.end <= bytes.count && element.content.upperBound <= element.end, "seed \(seed)")
            }
        }
    }
}
