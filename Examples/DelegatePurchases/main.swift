// Buys with delegates: three objects fetch and buy at the same time, and each hears only of its own.
import ExampleSupport
import Foundation
import StoreManagerCore
import StoreSimulator

let command = Command(
    "DelegatePurchases", summary: "Three objects fetch and buy at once, in a simulated App Store.",
    options: [.configuration, .shared])
let store = command.store(command.arguments())
let story = Story("Purchases with delegates")

// Of the plans of a group an account holds one at a time, so each clerk's product is of another group.
var groups: Set<String> = []
let products = store.configuration.products.filter { product in
    product.obstacleToPurchase == nil && groups.insert(product.subscription?.groupID ?? product.id).inserted
}
let clerks = zip(["Ada", "Ben", "Eve"], products).map { name, product in
    Clerk(name: name, productIdentifier: product.id, manager: store.manager, story: story)
}

/// Has all clerks begin at once, and reports their endings together.
@MainActor
func all(
    _ begin: (Clerk) -> (@escaping @MainActor (String) -> Void) -> Void, _ report: @escaping @MainActor (String) -> Void
) {
    for clerk in clerks {
        let hear: @MainActor (String) -> Void = { _ in
            let endings = clerks.compactMap { clerk in clerk.ending.map { "\(clerk.name): \($0)" } }
            if endings.count == clerks.count { report(endings.joined(separator: ", ")) }
        }
        begin(clerk)(hear)
    }
}

if clerks.isEmpty {
    story.skip("Fetch at once", because: "nothing that can be bought is sold here")
} else {
    let expected = clerks.map { "\($0.name): found" }.joined(separator: ", ")
    await story.step("Everybody asks for a product at the same time", expecting: expected) { all(Clerk.fetch, $0) }
}
if clerks.count < 3 {
    story.skip("Buy, refuse and forge at once", because: "fewer than three products that can be bought are sold here")
} else {
    // The store asks its buyer three times: the first and the last pay, the second says no.
    store.answer(.buy, .cancel, .buy)
    clerks[2].believes = false
    let expected = "Ada: bought, Ben: cancelled, Eve: forged"
    await story.step("All three buy at the same time", expecting: expected) { all(Clerk.buy, $0) }
    await story.step("Ada restores", expecting: "restored") { clerks[0].restore($0) }
}
exit(story.end())
