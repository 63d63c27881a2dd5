import Foundation

/// Reads a `.storekit` file with Foundation's decoder and says of any failure where it lies.
enum ConfigurationReader {
    static func read(_ data: Data) throws(StoreConfigurationError) -> ConfigurationFile {
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
            throw syntaxError(in: data)
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

    /// Asks the parser that says where it stopped; the decoder does not.
    private static func syntaxError(in data: Data) -> StoreConfigurationError {
        func error(at offset: Int, _ problem: String) -> StoreConfigurationError {
            let line = data.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
            return StoreConfigurationError(
                place: .offset(offset, line: line), problem: problem, remedy: "a complete JSON object")
        }
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
        } catch let parserError as NSError {
            let message = parserError.userInfo["NSDebugDescription"] as? String ?? ""
            if let offset = parserError.userInfo["NSJSONSerializationErrorIndex"] as? Int {
                return error(at: offset, "the file is not JSON")
            }
            if let match = message.firstMatch(of: /character ([0-9]+)/), let offset = Int(match.1) {
                return error(at: offset, "the file is not JSON")
            }
            if message.contains("end of file") { return error(at: data.count, "the file breaks off") }
        }
        return StoreConfigurationError(
            place: .file, problem: "the file is not JSON", remedy: "a complete JSON object")
    }
}
