import Foundation

extension [StoreConfiguration.Localization] {
    /// The localization to show in a locale: that of the locale itself, else of its language in the same script, else of its
    /// language, else of `en_US`, else the first. One with an empty name is taken only where none has a name.
    func best(for locale: String) -> StoreConfiguration.Localization? {
        let named = filter { !$0.displayName.isEmpty }
        let candidates = named.isEmpty ? self : named
        let wanted = Locale.Language(identifier: locale)
        return candidates.first { $0.locale.isSameLocale(as: locale) }
            ?? candidates.first { Locale.Language(identifier: $0.locale).isSameWriting(as: wanted) }
            ?? candidates.first { Locale.Language(identifier: $0.locale).languageCode == wanted.languageCode }
            ?? candidates.first { $0.locale.isSameLocale(as: "en_US") }
            ?? candidates.first
    }
}

extension String {
    /// Whether two locale identifiers are one, written with underscores or hyphens.
    fileprivate func isSameLocale(as other: String) -> Bool {
        replacing("-", with: "_").lowercased() == other.replacing("-", with: "_").lowercased()
    }
}

extension Locale.Language {
    /// Whether language and script are the same, so that `zh_CN` goes with `zh_Hans` and not with `zh_Hant`.
    fileprivate func isSameWriting(as other: Locale.Language) -> Bool {
        languageCode == other.languageCode && script == other.script
    }
}
