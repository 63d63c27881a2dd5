import Foundation

/// Reads a `.storekit` file with Foundation's decoder and says of any failure where it lies.
enum ConfigurationReader {
    static func read(_ data: Data) throws(StoreConfigurationError) -> ConfigurationFile {
        if let error = syntaxError(in: data) { throw error }
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

    /// Asks the parser that says where it stopped; the decoder does not, and passes over faults in what it does not read.
    private static func syntaxError(in data: Data) -> StoreConfigurationError? {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
            return nil
        } catch {
            let userInfo = (error as NSError).userInfo
            let message = userInfo["NSDebugDescription"] as? String ?? ""
            let named = message.firstMatch(of: /character ([0-9]+)/).flatMap { Int($0.1) }
            let end = message.contains("end of file") ? data.count : nil
            // Without a place the fault is a number out of range, and the decoder knows its key path if it matters.
            guard let offset = userInfo["NSJSONSerializationErrorIndex"] as? Int ?? named ?? end else { return nil }
            let line = data.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
            return StoreConfigurationError(
                place: .offset(offset, line: line),
                problem: offset < data.count ? "this is not JSON" : "the file breaks off",
                remedy: "a complete JSON object")
        }
    }
}
