package import Foundation

/// Real files that the tests read where they are: beside the project, never inside it.
///
/// A suite over the corpus is marked `.enabled(if: Corpus.isAvailable)`, so that elsewhere it is skipped, and seen to be.
package enum Corpus: Sendable {
    /// Whether the corpus lies beside the project.
    package static var isAvailable: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// The corpus's folder.
    package static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/corpus")

    /// The file or folder at a path inside the corpus.
    package static func url(_ path: String) -> URL { folder.appending(path: path) }

    /// The names of the files in a folder of the corpus that end in `suffix`, sorted; none where there is no corpus.
    package static func files(in folder: String, endingIn suffix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }
}
