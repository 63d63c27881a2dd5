/// Finds a short list that still has a property, by leaving parts of it out and looking again (Zeller's delta debugging).
///
/// - Parameters:
///   - list: What has the property.
///   - hasProperty: Looks at a shorter list; the order of the elements is always kept.
/// - Returns: a list with the property, of which no single element can be left out any more.
@MainActor
func shrunk<Element>(
    _ list: [Element], while hasProperty: @MainActor ([Element]) async -> Bool
) async -> [Element] {
    var list = list
    var size = max(1, list.count / 2)
    while !list.isEmpty {
        var wasShortened = false
        var start = 0
        while start < list.count {
            let end = min(start + size, list.count)
            let rest = Array(list[..<start] + list[end...])
            if await hasProperty(rest) {
                list = rest
                wasShortened = true
            } else {
                start = end
            }
        }
        if size > 1 {
            size = min(size / 2, max(1, list.count / 2))
        } else if !wasShortened {
            break
        }
    }
    return list
}
