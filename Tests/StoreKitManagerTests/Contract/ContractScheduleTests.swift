import StoreManagerCore
import Testing

extension StoreKitManagerTests {
    @MainActor
    struct ContractScheduleTests {
        @Test(
            "A01 P04 P13 M02 whatever happens by chance, each request is answered once, and what is paid delivered once",
            arguments: StoreWorld.storeKits)
        func byChance(world: StoreWorld) async {
            for seed in UInt64(1)...60 {
                let schedule = ContractSchedule(in: world, seed: seed)
                await schedule.run()
                #expect(schedule.faults == [], "seed \(seed)")
            }
        }
    }
}
