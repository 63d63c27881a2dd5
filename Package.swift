// swift-tools-version: 6.2
import PackageDescription

/// Every target is built with the same, strict settings.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatWarning("ExplicitSendable", as: .error),
]

/// Linux's cryptography; Apple's systems have their own.
#if os(Linux)
let libcrypto: [Target.Dependency] = ["CLibCrypto"]
#else
let libcrypto: [Target.Dependency] = []
#endif

/// Apple's systems have StoreKit; elsewhere there is a double of it over the simulator.
#if os(Linux)
let storeKit: [Target.Dependency] = ["StoreKit"]
#else
let storeKit: [Target.Dependency] = []
#endif

/// An example needs the manager and the simulated store, and nothing else unless it says so.
func example(_ name: String, and more: Target.Dependency...) -> Target {
    .executableTarget(
        name: name, dependencies: ["ExampleSupport", "StoreManagerCore", "StoreSimulator"] + more,
        path: "Examples/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "StoreKitManager",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "StoreKitManager", targets: ["StoreKitManager"]),
        .library(name: "StoreManagerCore", targets: ["StoreManagerCore"]),
        .library(name: "StoreSimulator", targets: ["StoreSimulator"]),
        .library(name: "ReceiptVerification", targets: ["ReceiptVerification"]),
    ],
    targets: [
        .target(
            name: "StoreKitManager", dependencies: ["StoreManagerCore"] + storeKit, swiftSettings: settings),
        .target(name: "StoreManagerCore", swiftSettings: settings),
        .target(name: "StoreSimulator", dependencies: ["StoreManagerCore"], swiftSettings: settings),
        .target(name: "ReceiptVerification", dependencies: ["StoreManagerCore"] + libcrypto, swiftSettings: settings),

        .target(
            name: "ExampleSupport", dependencies: ["StoreKitManager", "StoreManagerCore", "StoreSimulator"] + storeKit,
            path: "Examples/Shared", resources: [.copy("Shop.storekit")], swiftSettings: settings),
        example("ClosurePurchases"),
        example("DelegatePurchases"),
        example("RestoreAndLedger"),
        example("Storefront"),
        example("VerifiedPurchases", and: "ReceiptVerification"),
        example("InspectReceipt", and: "ReceiptVerification"),

        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["AllocationCounter", "ReceiptVerification", "StoreManagerCore", "StoreSimulator"]
                + libcrypto,
            path: "Tests/Benchmarks", exclude: ["instructions"], swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["StoreManagerCore"], path: "Tests/Support", swiftSettings: settings),
        .executableTarget(
            name: "LedgerWriter", dependencies: ["StoreManagerCore"], path: "Tests/LedgerWriter",
            swiftSettings: settings),
        .executableTarget(
            name: "CrashProof", dependencies: ["ExampleSupport", "StoreManagerCore", "StoreSimulator"],
            path: "Tests/CrashProof", swiftSettings: settings),
        .executableTarget(
            name: "Soak", dependencies: ["ExampleSupport", "StoreManagerCore", "StoreSimulator"], path: "Tests/Soak",
            swiftSettings: settings),
        .testTarget(
            name: "StoreManagerCoreTests",
            dependencies: ["StoreManagerCore", "StoreSimulator", "TestSupport", "LedgerWriter", "CrashProof"],
            swiftSettings: settings),
        .testTarget(
            name: "StoreSimulatorTests", dependencies: ["StoreSimulator", "TestSupport"],
            resources: [.copy("Fixtures")], swiftSettings: settings),
        .testTarget(
            name: "ReceiptVerificationTests",
            dependencies: [
                "InspectReceipt", "ReceiptVerification", "StoreManagerCore", "StoreSimulator", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "ClosurePurchases", "DelegatePurchases", "ExampleSupport", "RestoreAndLedger", "Storefront",
                "TestSupport", "VerifiedPurchases",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["ReceiptVerification", "StoreManagerCore", "StoreSimulator", "Storefront"],
            path: "Tests/Fuzz/Targets", swiftSettings: settings),
        .testTarget(name: "SoakTests", dependencies: ["Soak", "StoreSimulator"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

#if os(Linux)
package.targets.append(
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]))

package.products += [
    .library(name: "StoreKit", targets: ["StoreKit"]),
    .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
]
package.targets += [
    .target(name: "StoreKit", dependencies: ["StoreManagerCore", "StoreSimulator"], swiftSettings: settings),
    .target(
        name: "StoreKitTest", dependencies: ["StoreKit", "StoreManagerCore", "StoreSimulator"],
        swiftSettings: settings),
    .testTarget(
        name: "StoreKitTests", dependencies: ["StoreKit", "StoreKitTest", "StoreSimulator", "TestSupport"],
        resources: [.copy("Fixtures")], swiftSettings: settings),
    .testTarget(
        name: "StoreKitManagerTests",
        dependencies: [
            "StoreKit", "StoreKitManager", "StoreKitTest", "StoreManagerCore", "StoreSimulator", "TestSupport",
        ],
        swiftSettings: settings),
]
#endif
