// Who imports StoreKitManager has the manager, its models and its errors too.
@_exported public import StoreManagerCore
