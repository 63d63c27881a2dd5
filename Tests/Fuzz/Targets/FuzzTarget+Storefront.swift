import Foundation
import StoreManagerCore
import StoreSimulator

@testable import Storefront

/// The shop, in this process.
extension FuzzTarget {
    /// Types a script into a shop.
    @MainActor
    func serve(_ bytes: Data) async {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "fuzz-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = String(decoding: bytes.prefix(2_000), as: UTF8.self)
        var lines = script.split(separator: "\n", omittingEmptySubsequences: false).prefix(60)
        let output = Output(isJSON: bytes.count % 2 == 0, isTerminal: false)
        let shop = Shop(configuration: Self.catalogue, seed: 1, output: output)
        _ = await shop.open(reading: { lines.popFirst().map { Self.harmless(String($0), in: folder) } })
    }

    /// The line, but that it writes no file outside the folder.
    private static func harmless(_ line: String, in folder: URL) -> String {
        func place(_ file: String) -> String { "\(folder.path)/\(file.replacing("/", with: "_"))" }
        return switch try? ShopCommand(line) {
        case .save(let file): "save \(place(file))"
        case .timeline(let product, let file?): "timeline \(product ?? "") --svg \(place(file))"
        default: line
        }
    }

    /// A product of each kind, with offers.
    private static let catalogue: StoreConfiguration = {
        let month = StoreSubscriptionPeriod(value: 1, unit: .month)
        func plan(_ id: String, level: Int, _ period: StoreSubscriptionPeriod) -> StoreConfiguration.Product {
            StoreConfiguration.Product(
                id: id, type: .autoRenewable, price: 4.99,
                subscription: .init(
                    groupID: "club", groupLevel: level, period: period,
                    introductoryOffers: [
                        .init(
                            type: .introductory, paymentMode: .freeTrial, price: 0, period: .init(value: 1, unit: .week)
                        )
                    ],
                    promotionalOffers: [
                        .init(type: .promotional, id: "loyal", paymentMode: .payAsYouGo, price: 1, period: month)
                    ],
                    winBackOffers: [
                        .init(type: .winBack, id: "back", paymentMode: .payUpFront, price: 2, period: month)
                    ]))
        }
        return StoreConfiguration(
            products: [
                .init(id: "coins", type: .consumable, price: 0.99),
                .init(id: "ads", type: .nonConsumable, price: 4.99, isFamilyShareable: true),
                .init(id: "season", type: .nonRenewable, price: 9.99),
                plan("silver", level: 2, month), plan("gold", level: 1, .init(value: 1, unit: .year)),
            ],
            subscriptionGroups: [.init(id: "club", name: "Club")])
    }()
}
