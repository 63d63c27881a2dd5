/// The products that are known, by identifier and in the order in which they came.
struct ProductCache {
    /// Where each product stands in `slots`.
    private var positions: [String: Int] = [:]
    /// The products in the order of their arrival; nil where one was removed.
    private var slots: [StoreProduct?] = []

    /// All products, in the order in which they first came.
    var products: [StoreProduct] { slots.compactMap { $0 } }

    /// The product of the identifier, at a cost that does not depend on how many there are.
    subscript(identifier: String) -> StoreProduct? {
        positions[identifier].flatMap { slots[$0] }
    }

    /// Adds products; one that is there already is replaced in its place.
    mutating func merge(_ products: [StoreProduct]) {
        for product in products {
            if let position = positions[product.id] {
                slots[position] = product
            } else {
                positions[product.id] = slots.count
                slots.append(product)
            }
        }
    }

    /// Removes the products of these identifiers.
    mutating func remove(_ identifiers: some Sequence<String>) {
        for identifier in identifiers {
            guard let position = positions.removeValue(forKey: identifier) else { continue }
            slots[position] = nil
        }
        if positions.count < slots.count / 2 { compact() }
    }

    /// Removes all products.
    mutating func removeAll() { self = ProductCache() }

    private mutating func compact() {
        let kept = products
        self = ProductCache()
        merge(kept)
    }
}
