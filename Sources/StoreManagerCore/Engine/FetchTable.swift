/// Who waits for which products, and what the store was asked. A value without I/O.
///
/// What is asked of the store at once is a part. A fetch waits for the parts that hold its identifiers, its own or those that
/// earlier fetches started, so that nothing is asked for twice at a time.
struct FetchTable {
    /// A fetch that has all it asked for.
    struct Completed {
        var token: RequestToken
        var response: ProductFetchResponse
    }

    /// Something to ask the store: the products of a part.
    struct Question: Equatable {
        var part: RequestToken
        var identifiers: [String]
    }

    fileprivate struct Fetch {
        var identifiers: [String]
        var parts: Set<RequestToken>
        var found: [String: StoreProduct] = [:]
    }

    private struct Part {
        var identifiers: [String]
        var waiters: Set<RequestToken>
        /// The storefront changed since the store was asked, so that its answer is of no use.
        var isOutdated = false
    }

    private var fetches: [RequestToken: Fetch] = [:]
    private var parts: [RequestToken: Part] = [:]
    /// The part that asks for an identifier, as long as more fetches may join it.
    private var inFlight: [String: RequestToken] = [:]

    /// Begins a fetch of identifiers without duplicates; returns what the store has to be asked, if anything.
    mutating func begin(_ token: RequestToken, identifiers: [String]) -> Question? {
        let missing = identifiers.filter { inFlight[$0] == nil }
        var waitsFor = Set(identifiers.compactMap { inFlight[$0] })
        for part in waitsFor { parts[part]?.waiters.insert(token) }
        if !missing.isEmpty {
            parts[token] = Part(identifiers: missing, waiters: [token])
            for identifier in missing { inFlight[identifier] = token }
            waitsFor.insert(token)
        }
        fetches[token] = Fetch(identifiers: identifiers, parts: waitsFor)
        return missing.isEmpty ? nil : Question(part: token, identifiers: missing)
    }

    /// The store answered a part. Returns the fetches that are complete now, or what has to be asked again.
    mutating func receive(_ products: [StoreProduct], for part: RequestToken) -> (
        completed: [Completed], again: Question?
    ) {
        guard parts[part]?.isOutdated != true else {
            parts[part]?.isOutdated = false
            return ([], parts[part].map { Question(part: part, identifiers: $0.identifiers) })
        }
        // Of products that the store lists twice the first one wins.
        let found = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var completed: [Completed] = []
        for token in close(part) {
            guard var fetch = fetches[token] else { continue }
            fetch.parts.remove(part)
            fetch.found.merge(found) { _, new in new }
            fetches[token] = fetch
            guard fetch.parts.isEmpty else { continue }
            fetches[token] = nil
            completed.append(Completed(token: token, response: fetch.response))
        }
        return (completed, nil)
    }

    /// The store failed a part. Returns the fetches that fail with it.
    mutating func fail(_ part: RequestToken) -> [RequestToken] {
        let failed = close(part).filter { fetches[$0] != nil }
        for token in failed { remove(token) }
        return failed
    }

    /// A fetch waited too long: it is taken out, and nobody joins what it waited for any more; those who did already still
    /// wait. False: it does not wait.
    mutating func timeOut(_ token: RequestToken) -> Bool {
        guard let fetch = fetches[token] else { return false }
        for part in fetch.parts { stopJoining(part) }
        remove(token)
        return true
    }

    /// Takes a fetch out. What it asked for is dropped, unless others wait for it too.
    mutating func remove(_ token: RequestToken) {
        for part in fetches.removeValue(forKey: token)?.parts ?? [] {
            parts[part]?.waiters.remove(token)
            guard parts[part]?.waiters.isEmpty == true else { continue }
            stopJoining(part)
            parts[part] = nil
        }
    }

    /// The storefront changed: what was answered before is asked for again by a part of its own, named by `makeToken`, and
    /// what is under way is asked for again when its answer comes.
    mutating func storefrontChanged(makeToken: () -> RequestToken) -> [Question] {
        for part in parts.keys { parts[part]?.isOutdated = true }
        var questions: [Question] = []
        for token in fetches.keys.sorted(by: { $0.number < $1.number }) {
            guard let fetch = fetches[token] else { continue }
            let awaited = Set(fetch.parts.flatMap { parts[$0]?.identifiers ?? [] })
            let answered = fetch.identifiers.filter { !awaited.contains($0) }
            guard !answered.isEmpty else { continue }
            let part = makeToken()
            parts[part] = Part(identifiers: answered, waiters: [token])
            fetches[token]?.parts.insert(part)
            fetches[token]?.found = [:]
            questions.append(Question(part: part, identifiers: answered))
        }
        return questions
    }

    /// Takes a part out and returns those who waited for it, in the order in which they asked.
    private mutating func close(_ part: RequestToken) -> [RequestToken] {
        stopJoining(part)
        return parts.removeValue(forKey: part)?.waiters.sorted { $0.number < $1.number } ?? []
    }

    private mutating func stopJoining(_ part: RequestToken) {
        for identifier in parts[part]?.identifiers ?? [] where inFlight[identifier] == part {
            inFlight[identifier] = nil
        }
    }
}

extension FetchTable.Fetch {
    /// The answer, in the order of the identifiers as given.
    fileprivate var response: ProductFetchResponse {
        ProductFetchResponse(
            products: identifiers.compactMap { found[$0] }, invalidIdentifiers: identifiers.filter { found[$0] == nil })
    }
}
