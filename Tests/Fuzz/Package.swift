// swift-tools-version: 6.2
// The fuzzer: a package of its own, so that nobody needs libFuzzer to build or test the others. See ./run.
import Foundation
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The example is compiled as a part of its own package, whose name is that of its folder, so that it may use what the package
/// keeps to itself.
let parent = URL(filePath: Context.packageDirectory).deletingLastPathComponent().deletingLastPathComponent()
let parentName = String(parent.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "StoreKitManager", path: "../..")],
    targets: [
        .target(
            name: "Storefront",
            dependencies: [
                .product(name: "StoreManagerCore", package: "StoreKitManager"),
                .product(name: "StoreSimulator", package: "StoreKitManager"),
            ],
            path: "Storefront", exclude: ["main.swift"], packageAccess: false,
            swiftSettings: settings + [.unsafeFlags(["-package-name", parentName])]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Storefront",
                .product(name: "ReceiptVerification", package: "StoreKitManager"),
                .product(name: "StoreManagerCore", package: "StoreKitManager"),
                .product(name: "StoreSimulator", package: "StoreKitManager"),
            ],
            path: "Targets", exclude: ["SavedInputTests.swift"], swiftSettings: settings),
        .executableTarget(name: "Fuzzer", dependencies: ["FuzzTargets"], path: "Fuzzer", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
