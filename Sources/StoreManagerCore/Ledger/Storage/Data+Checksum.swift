package import Foundation

extension Data {
    /// FNV-1a with 64 bits (draft-eastlake-fnv), in 16 hexadecimal digits: no cryptography, but no single changed byte escapes
    /// it, since each step maps different sums to different sums.
    package var checksum: String {
        let sum = withUnsafeBytes { bytes in
            bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
