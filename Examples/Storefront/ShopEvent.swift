/// What the shop tells programs with `--json`: the names of its events. `help` lists them all.
enum ShopEvent: String, CaseIterable {
    case productsFetched, productFetchFailed
    case purchased, restored, scheduled, purchaseDeferred, purchaseCancelled, purchaseFailed
    case revoked, upgraded, transactionWaiting, transactionUpdated, transactionFinished, transactionRemoved
    case restoreFinished, restoreFailed
    case subscriptionChanged, storefrontChanged, downloadUpdated, purchaseIntent
    case entitlementsRead, entitlementsFailed, receiptRefreshed, receiptRefreshFailed
    case listed, advanced, offline, online, autorenewOn, autorenewOff
    case owned, consumed, status, span, mark, drawn, logged, saved, help, commandFailed

    /// What happened.
    var help: String {
        switch self {
        case .productsFetched: "the catalogue came"
        case .productFetchFailed: "the catalogue did not come"
        case .purchased: "something was bought, or renewed, and handed over"
        case .restored: "something that is owned already was handed over"
        case .scheduled: "a plan changes at the next renewal"
        case .purchaseDeferred: "a purchase waits for approval"
        case .purchaseCancelled: "the buyer said no"
        case .purchaseFailed: "a purchase failed"
        case .revoked: "the money was given back, or a share taken away"
        case .upgraded: "a plan gave way to a better one"
        case .transactionWaiting: "a transaction waits, with nobody to receive it"
        case .transactionUpdated: "the store's queue has a transaction in a new state"
        case .transactionFinished: "a transaction was dealt with"
        case .transactionRemoved: "a transaction left the store's queue"
        case .restoreFinished: "everything that is owned was listed"
        case .restoreFailed: "a restore failed"
        case .subscriptionChanged: "a subscription is in a new state: renewed, in trouble, ended"
        case .storefrontChanged: "the store is another country's now"
        case .downloadUpdated: "content moved on"
        case .purchaseIntent: "somebody began to buy in the store"
        case .entitlementsRead: "the store said what is owned now"
        case .entitlementsFailed: "the store could not say what is owned now"
        case .receiptRefreshed: "the app receipt was renewed"
        case .receiptRefreshFailed: "the app receipt could not be renewed"
        case .listed: "answers list: a product that is sold"
        case .advanced: "answers advance"
        case .offline, .online: "answers offline"
        case .autorenewOn, .autorenewOff: "answers autorenew"
        case .owned: "answers owned: something that is owned"
        case .consumed: "answers consume"
        case .status: "answers status: how a subscription stands"
        case .span: "answers timeline: a stretch of time"
        case .mark: "answers timeline: something at a date"
        case .drawn: "answers timeline --svg"
        case .logged: "answers log: a line of it"
        case .saved: "answers save"
        case .help: "answers help"
        case .commandFailed: "a command could not be followed, or not be done"
        }
    }
}

/// What an event tells besides its name and its date.
enum ShopField: String, CaseIterable {
    case product, transaction, token, quantity, price, currency, offer, expires, error
    case count, products, invalid
    case state, willAutoRenew, graceUntil, storefront
    case content, progress
    case name, type, period
    case kind, label, text, until, periods
    case file, line, commands, events, fields

    /// What it is.
    var help: String {
        switch self {
        case .product: "the product's identifier"
        case .transaction: "the transaction's identifier"
        case .token: "the request, such as purchase-7"
        case .quantity: "how many pieces"
        case .price: "the price as a decimal in a string"
        case .currency: "its currency, ISO 4217"
        case .offer: "the offer that was used"
        case .expires: "when what was paid for ends"
        case .error: "what went wrong, and what would be right"
        case .count: "how many"
        case .products: "identifiers of products"
        case .invalid: "identifiers that the store does not know"
        case .state: "the state of the transaction, subscription or download"
        case .willAutoRenew: "whether the subscription renews"
        case .graceUntil: "until when access goes on without payment"
        case .storefront: "the country, ISO 3166-1 alpha-3"
        case .content: "the content's identifier"
        case .progress: "how much has arrived, from 0 to 1"
        case .name: "the product's name"
        case .type: "the product's type"
        case .period: "how long one payment lasts"
        case .kind: "what the stretch of time is"
        case .label: "what stands on it"
        case .text: "what happened"
        case .until: "when it ends"
        case .periods: "how many payments are in it"
        case .file: "the file that was written"
        case .line: "the log's line; for commandFailed the number of the script's"
        case .commands: "how each command is written"
        case .events: "each event's name, and what it tells"
        case .fields: "each field's name, and what it is"
        }
    }
}
