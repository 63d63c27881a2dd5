import Foundation
import StoreManagerCore
import StoreSimulator

/// Something to do in the shop.
enum ShopCommand: Equatable {
    case list
    case buy(product: String, quantity: Int, offer: String?)
    case buyAnswering(product: String, StoreBuyer.Answer)
    case approve
    case decline
    case resolve
    case refund(transaction: String?)
    case restore
    case renew(product: String)
    case expire(product: String)
    case autorenew(Bool, product: String)
    case advance(ShopInterval)
    case storefront(String)
    case offline(Bool)
    case download(product: String)
    case owned
    case consume(product: String)
    case status
    case timeline(product: String?, svg: String?)
    case log
    case save(file: String)
    case help
    case quit
}

/// A line that cannot be followed, or a command that could not be done: what is wrong, and what would be right.
struct ShopError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension ShopCommand {
    /// What the shop understands: a command's name and arguments, and what it does.
    static let usages: [(usage: String, help: String)] = [
        ("list", "what is sold here"),
        ("buy PRODUCT [xN] [offer ID]", "buy N pieces, or with an offer"),
        ("cancel PRODUCT", "begin to buy, and say no when asked to pay"),
        ("ask PRODUCT", "begin to buy, as a child who has to ask"),
        ("interrupt PRODUCT", "begin to buy, and have something to settle with the store first"),
        ("approve", "say yes to the child who has waited longest"),
        ("decline", "say no to the child who has waited longest"),
        ("resolve", "settle what keeps a purchase or a renewal from being paid"),
        ("refund [TRANSACTION]", "give the money back; the oldest that can be, unless named"),
        ("restore", "ask for everything that is owned"),
        ("renew PRODUCT", "end the running period of a subscription, and begin the next"),
        ("expire PRODUCT", "end a subscription now"),
        ("autorenew on|off PRODUCT", "whether a subscription goes on when its period ends"),
        ("advance 31d", "let time pass: h, d, w, mo or y"),
        ("storefront JPN", "sell in another country: the same numbers in its currency"),
        ("offline on|off", "cut the store off, or bring it back"),
        ("download PRODUCT", "buy a product with content, and watch it arrive"),
        ("owned", "what is owned, and how many"),
        ("consume PRODUCT", "use one up"),
        ("status", "how each subscription stands"),
        ("timeline [PRODUCT] [--svg FILE]", "a subscription's life, as text or as a picture"),
        ("log", "what the store did, line by line"),
        ("save FILE", "keep the store and the ledger; --resume FILE goes on with them"),
        ("help", "this text"),
        ("quit", "leave"),
    ]

    /// Reads a line. Nil: it is empty, or a comment that begins with `#`.
    ///
    /// - Throws: ``ShopError`` for an unknown command, and for arguments that are missing, wrong or too many.
    init?(_ line: String) throws {
        guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { return nil }
        var words = try ShopWords(line).words[...]
        guard let name = words.popFirst() else { return nil }
        self = try Self.read(name.lowercased(), &words)
        if let rest = words.first {
            throw ShopError("\"\(rest)\" is too much; right would be: \(try Self.usage(of: name))")
        }
    }

    private static func read(_ name: String, _ words: inout ArraySlice<String>) throws -> ShopCommand {
        func next() throws -> String {
            guard let word = words.popFirst() else {
                throw ShopError("something is missing; right would be: \(try usage(of: name))")
            }
            return word
        }
        switch name {
        case "list": return .list
        case "buy": return try buying(product: next(), &words)
        case "cancel": return .buyAnswering(product: try next(), .cancel)
        case "ask": return .buyAnswering(product: try next(), .ask)
        case "interrupt": return .buyAnswering(product: try next(), .interrupt)
        case "approve": return .approve
        case "decline": return .decline
        case "resolve": return .resolve
        case "refund": return .refund(transaction: try words.popFirst().map(transaction))
        case "restore": return .restore
        case "renew": return .renew(product: try next())
        case "expire": return .expire(product: try next())
        case "autorenew": return .autorenew(try isOn(next(), in: name), product: try next())
        case "advance": return .advance(try ShopInterval(next()))
        case "storefront": return .storefront(try country(next()))
        case "offline": return .offline(try isOn(next(), in: name))
        case "download": return .download(product: try next())
        case "owned": return .owned
        case "consume": return .consume(product: try next())
        case "status": return .status
        case "timeline": return try timeline(&words)
        case "log": return .log
        case "save": return .save(file: try next())
        case "help", "?": return .help
        case "quit", "exit": return .quit
        default: throw ShopError(try usage(of: name))
        }
    }

    /// How a command is written.
    ///
    /// - Throws: ``ShopError`` where there is no such command.
    private static func usage(of name: String) throws -> String {
        let name = name.lowercased()
        if let known = usages.first(where: { $0.usage.split(separator: " ").first.map(String.init) == name }) {
            return known.usage
        }
        let names = usages.compactMap { $0.usage.split(separator: " ").first.map(String.init) }
        let similar = names.filter { $0.hasPrefix(name.prefix(2)) }
        let right = similar.isEmpty ? "one of \(names.joined(separator: ", "))" : similar.joined(separator: " or ")
        throw ShopError("there is no command \"\(name)\"; right would be \(right)")
    }

    private static func buying(product: String, _ words: inout ArraySlice<String>) throws -> ShopCommand {
        var quantity = 1
        if let word = words.first, word.lowercased() != "offer" {
            let digits = word.dropFirst()
            guard word.hasPrefix("x"), digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
                (1...10_000).contains(number)
            else {
                throw ShopError("\"\(word)\" is no quantity; right would be x2, from x1 to x10000")
            }
            quantity = number
            words.removeFirst()
        }
        guard words.first?.lowercased() == "offer" else {
            return .buy(product: product, quantity: quantity, offer: nil)
        }
        words.removeFirst()
        guard let offer = words.popFirst() else {
            throw ShopError("the offer's identifier is missing; right would be: offer ID")
        }
        return .buy(product: product, quantity: quantity, offer: offer)
    }

    private static func timeline(_ words: inout ArraySlice<String>) throws -> ShopCommand {
        var product: String?
        if let word = words.first, word != "--svg" {
            product = word
            words.removeFirst()
        }
        guard words.first == "--svg" else { return .timeline(product: product, svg: nil) }
        words.removeFirst()
        guard let file = words.popFirst(), !file.isEmpty, !file.hasPrefix("--") else {
            throw ShopError("the picture's file is missing; right would be: --svg FILE")
        }
        return .timeline(product: product, svg: file)
    }

    private static func transaction(_ word: String) throws -> String {
        guard word.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw ShopError("\"\(word)\" is no transaction; right would be its number, such as 1")
        }
        return word
    }

    private static func isOn(_ word: String, in name: String) throws -> Bool {
        switch word.lowercased() {
        case "on": return true
        case "off": return false
        default: throw ShopError("\"\(word)\" is neither on nor off; right would be: \(try usage(of: name))")
        }
    }

    private static func country(_ word: String) throws -> String {
        let code = word.uppercased()
        guard code.count == 3, code.allSatisfy({ $0.isASCII && $0.isLetter }),
            Locale(identifier: "en_\(code)").currency != nil
        else {
            throw ShopError(
                "\"\(word)\" is no country with a currency; right would be three letters, such as JPN, DEU or USA")
        }
        return code
    }
}
