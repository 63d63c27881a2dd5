import Foundation
import StoreManagerCore

/// Reads a `.storekit` file with Foundation's decoder and says of any failure where it lies.
enum ConfigurationReader {
    static func read(_ data: Data) throws(StoreConfigurationError) -> ConfigurationFile {
        if let fault = JSONFault(in: data) {
            throw StoreConfigurationError(
                place: .offset(fault.offset, line: fault.line),
                problem: fault.isTruncation ? "the file breaks off" : "this is not JSON",
                remedy: "a complete JSON object")
        }
        do {
            return try JSONDecoder().decode(ConfigurationFile.self, from: data)
        } catch let error as StoreConfigurationError {
            throw error
        } catch DecodingError.typeMismatch(let type, let context) {
            throw StoreConfigurationError(
                place: .keyPath(context.codingPath.text), problem: "the value is of another type",
                remedy: remedy(for: type))
        } catch DecodingError.valueNotFound(let type, let context) {
            throw StoreConfigurationError(
                place: .keyPath(context.codingPath.text), problem: "the value is null", remedy: remedy(for: type))
        } catch DecodingError.keyNotFound(let key, let context) {
            throw StoreConfigurationError(
                place: .keyPath((context.codingPath + [key]).text), problem: "the key is missing",
                remedy: remedy(forMissing: key))
        } catch {
            throw StoreConfigurationError(
                place: .file, problem: "it cannot be decoded", remedy: "a complete JSON object")
        }
    }

    private static func remedy(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }

    private static func remedy(forMissing key: any CodingKey) -> String {
        switch key.stringValue {
        case "version": "an object such as {\"major\": 4, \"minor\": 0}"
        case "major", "minor": ConfigurationFile.WholeNumber.remedy
        case "productID": ConfigurationFile.ProductIdentifier.remedy
        case "paymentMode": ConfigurationFile.PaymentMode.remedy
        case "subscriptionPeriod": ConfigurationFile.OfferPeriod.remedy
        default: "a text"
        }
    }
}
