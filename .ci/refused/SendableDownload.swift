// A download is not Sendable.
import Foundation
import StoreKit

func send(_ download: SKDownload) -> any Sendable { download }
