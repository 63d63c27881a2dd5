/// Rows of text set in columns for a terminal, two blanks between them.
package struct TextTable: CustomStringConvertible, Sendable {
    /// The cells, row by row.
    package var rows: [[String]]

    /// Makes a table.
    package init(rows: [[String]]) { self.rows = rows }

    /// The table, each row ended by a line break.
    package var description: String {
        let rows = rows.map { $0.map(\.printable) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.width + 2)
            }
            return line.trimmingBlanks + "\n"
        }.joined()
    }
}

extension String {
    /// The text without characters that would move, colour or turn round what stands around them.
    package var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isPrintable ? $0 : " " }))
    }

    fileprivate var trimmingBlanks: Substring {
        self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
    }

    /// How many cells of a terminal the text fills.
    fileprivate var width: Int { reduce(0) { $0 + ($1.isWide ? 2 : 1) } }
}

extension Unicode.Scalar {
    /// Whether it is neither a control character, nor a separator of lines, nor one of those that set the direction of text
    /// (UAX #9, 2: Directional Formatting Characters).
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !properties.isBidiControl
        }
    }
}

extension Character {
    /// Whether a terminal gives the character two cells: the East Asian scripts of Unicode's EastAsianWidth table (main
    /// blocks), and emoji.
    fileprivate var isWide: Bool {
        guard let scalar = unicodeScalars.first else { return false }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default:
            scalar.properties.isEmojiPresentation
        }
    }
}
