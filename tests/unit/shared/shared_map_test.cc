#include "shared/shared_map.h"

#include <csignal>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace {

using Kind = SharedValue::Kind;
using Outcome = SharedMap::Outcome;
using WhenFull = SharedMap::WhenFull;
using Condition = SharedMap::Condition;

constexpr uint64_t kNever = SharedMap::kForEver;

SharedMap make(size_t bytes = SharedMap::kLeastBytes, WhenFull when_full = WhenFull::kRefuse) {
    void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return SharedMap::format({static_cast<char*>(data), bytes}, when_full, 0x1234'5678'9abc'def0);
}

SharedValue text(std::string_view bytes) {
    return {Kind::kString, 0, bytes};
}
SharedValue number(int64_t value) {
    return {Kind::kInt, value, {}};
}

/// The value of `key`; "(none)" when there is none.
std::string at(const SharedMap& map, std::string_view key, uint64_t now_ms = 0) {
    SharedMap::Found found;
    std::string bytes;
    if (map.get(key, now_ms, found, bytes) != Outcome::kDone) return "(none)";
    return found.kind == Kind::kInt ? std::to_string(found.number) : bytes;
}
uint64_t version_at(const SharedMap& map, std::string_view key) {
    SharedMap::Found found;
    std::string bytes;
    map.get(key, 0, found, bytes);
    return found.version;
}
SharedMap::Figures figures(const SharedMap& map) {
    SharedMap::Figures figures;
    EXPECT_TRUE(map.figures(figures));
    return figures;
}

TEST(SharedMap, KeepsValuesOfEachLength) {
    const SharedMap map = make();
    std::map<std::string, std::string> expected;
    for (size_t length : {0u, 1u, 75u, 76u, 77u, 199u, 200u, 201u, 324u, 325u, 1000u}) {
        const std::string key = "key" + std::to_string(length);
        std::string value(length, '\0');
        for (size_t i = 0; i < length; ++i)
            value[i] = static_cast<char>(i * 7 + length);
        ASSERT_EQ(map.put(key, text(value), 0, kNever), Outcome::kDone);
        expected[key] = value;
    }
    for (const auto& [key, value] : expected)
        EXPECT_EQ(at(map, key), value);
    EXPECT_EQ(at(map, "key"), "(none)");
    EXPECT_EQ(figures(map).entries, expected.size());
    EXPECT_TRUE(map.is_sound());
}

TEST(SharedMap, WhoLooksSeesTheFiguresWithoutTheLock) {
    std::vector<char> memory(8 << 20);
    const SharedMap map = SharedMap::format(memory, WhenFull::kEvict, 1);
    for (int i = 0; i < 20'000; ++i)
        ASSERT_EQ(map.put("key" + std::to_string(i), text(std::string(500, 'x')), 0, kNever), Outcome::kDone);
    const SharedMap::Figures known = figures(map);
    ASSERT_GT(known.evicted, 0u);
    SharedMap::Figures seen;
    ASSERT_TRUE(SharedMap::look(memory, seen));
    EXPECT_EQ(seen.entries, known.entries);
    EXPECT_EQ(seen.used_bytes, known.used_bytes);
    EXPECT_EQ(seen.bytes, known.bytes);
    EXPECT_EQ(seen.evicted, known.evicted);
}

TEST(SharedMap, WhoLooksReadsNothingBeyondTheMemory) {
    const std::vector<char> zeroed(SharedMap::kLeastBytes);
    SharedMap::Figures figures;
    EXPECT_FALSE(SharedMap::look(zeroed, figures));
    EXPECT_FALSE(SharedMap::look({}, figures));
    std::mt19937_64 random(1);
    std::vector<char> memory(128 << 10), formatted(memory.size());
    SharedMap::format(formatted, WhenFull::kRefuse, 1);
    for (int round = 0; round < 2000; ++round) {
        memory = formatted;
        // Behind the number that tells a map.
        for (size_t at = 8 + random() % 40, end = at + 1 + random() % 8; at < end; ++at)
            memory[at] = static_cast<char>(random());
        SharedMap::look(memory, figures);
    }
}

TEST(SharedMap, KeepsKeysLongerThanABlock) {
    const SharedMap map = make();
    const std::string a(300, 'a'), b = std::string(299, 'a') + 'b';
    map.put(a, text("first"), 0, kNever);
    map.put(b, text("second"), 0, kNever);
    EXPECT_EQ(at(map, a), "first");
    EXPECT_EQ(at(map, b), "second");
}

TEST(SharedMap, PutsANewValueInThePlaceOfTheOldOne) {
    const SharedMap map = make();
    map.put("a", text(std::string(1000, 'x')), 0, kNever);
    const size_t before = figures(map).used_bytes;
    map.put("a", text("short"), 0, kNever);
    EXPECT_EQ(at(map, "a"), "short");
    EXPECT_EQ(figures(map).entries, 1u);
    EXPECT_LT(figures(map).used_bytes, before);
    EXPECT_TRUE(map.is_sound());
}

TEST(SharedMap, PutsOnConditions) {
    const SharedMap map = make();
    EXPECT_EQ(map.put("a", text("1"), 0, kNever, Condition::kAbsent), Outcome::kDone);
    EXPECT_EQ(map.put("a", text("2"), 0, kNever, Condition::kAbsent), Outcome::kNot);
    const uint64_t version = version_at(map, "a");
    EXPECT_EQ(map.put("a", text("3"), 0, kNever, Condition::kVersion, version), Outcome::kDone);
    EXPECT_EQ(map.put("a", text("4"), 0, kNever, Condition::kVersion, version), Outcome::kNot);
    EXPECT_EQ(map.put("b", text("5"), 0, kNever, Condition::kVersion, version), Outcome::kNot);
    EXPECT_EQ(map.remove("a", 0, Condition::kVersion, version), Outcome::kNot);
    EXPECT_EQ(at(map, "a"), "3");
}

TEST(SharedMap, Counts) {
    const SharedMap map = make();
    int64_t sum = 0;
    EXPECT_EQ(map.add("n", 5, 0, kNever, sum), Outcome::kDone);
    const uint64_t version = version_at(map, "n");
    EXPECT_EQ(map.add("n", -7, 0, kNever, sum), Outcome::kDone);
    EXPECT_EQ(sum, -2);
    EXPECT_NE(version_at(map, "n"), version);
    map.put("n", number(INT64_MAX), 0, kNever);
    EXPECT_EQ(map.add("n", 1, 0, kNever, sum), Outcome::kOverflow);
    EXPECT_EQ(at(map, "n"), std::to_string(INT64_MAX));
    map.put("n", text("1"), 0, kNever);
    EXPECT_EQ(map.add("n", 1, 0, kNever, sum), Outcome::kNoInt);
}

TEST(SharedMap, ForgetsWhatHasExpired) {
    const SharedMap map = make();
    map.put("a", text("x"), 100, 200);
    EXPECT_EQ(at(map, "a", 199), "x");
    EXPECT_EQ(at(map, "a", 200), "(none)");
    EXPECT_EQ(figures(map).entries, 0u);
    int64_t sum;
    map.add("n", 1, 100, 200, sum);
    map.add("n", 1, 199, 500, sum);
    EXPECT_EQ(sum, 2);
    map.add("n", 1, 200, 500, sum);
    EXPECT_EQ(sum, 1) << "the first value's time has passed";
    EXPECT_EQ(map.put("n", number(1), 600, kNever, Condition::kAbsent), Outcome::kDone);
}

TEST(SharedMap, RefusesWhatHasNoRoomAndKeepsTheRest) {
    const SharedMap map = make();
    size_t kept = 0;
    while (map.put(std::to_string(kept), text(std::string(500, 'x')), 0, kNever) == Outcome::kDone)
        ++kept;
    EXPECT_EQ(map.put("more", text(std::string(500, 'x')), 0, kNever), Outcome::kFull);
    EXPECT_EQ(figures(map).entries, kept);
    EXPECT_EQ(figures(map).evicted, 0u);
    // New values of old keys have room of their own.
    for (size_t i = 0; i < kept; ++i)
        ASSERT_EQ(map.put(std::to_string(i), text(std::string(500, 'y')), 0, kNever), Outcome::kDone) << i;
    EXPECT_EQ(map.put("long", text(std::string(map.most_value_bytes(), 'x')), 0, kNever), Outcome::kTooLong);
    EXPECT_TRUE(map.is_sound());
}

TEST(SharedMap, MakesRoomOfWhatHasExpired) {
    const SharedMap map = make();
    size_t kept = 0;
    while (map.put(std::to_string(kept), text(std::string(500, 'x')), 0, 1000) == Outcome::kDone)
        ++kept;
    EXPECT_EQ(map.put("more", text(std::string(500, 'x')), 999, kNever), Outcome::kFull);
    EXPECT_EQ(map.put("more", text(std::string(500, 'x')), 1000, kNever), Outcome::kDone);
}

TEST(SharedMap, EvictsWhatNobodyUses) {
    const SharedMap map = make(SharedMap::kLeastBytes, WhenFull::kEvict);
    map.put("used", text("much"), 0, kNever);
    for (int i = 0; i < 5000; ++i) {
        ASSERT_EQ(map.put(std::to_string(i), text(std::string(200, 'x')), 0, kNever), Outcome::kDone);
        ASSERT_EQ(at(map, "used"), "much") << i;
    }
    EXPECT_EQ(at(map, "4999"), std::string(200, 'x'));
    EXPECT_EQ(at(map, "0"), "(none)");
    EXPECT_EQ(figures(map).evicted + figures(map).entries, 5001u);
    EXPECT_TRUE(map.is_sound());
}

TEST(SharedMap, ReplacesWhereItEvicts) {
    const SharedMap map = make(SharedMap::kLeastBytes, WhenFull::kEvict);
    std::mt19937 random(1);
    const size_t most = map.most_value_bytes() - 10;
    for (int i = 0; i < 20'000; ++i) {
        const std::string key = std::to_string(random() % 50);
        ASSERT_EQ(map.put(key, text(std::string(random() % most, 'x')), 0, kNever), Outcome::kDone);
    }
    EXPECT_TRUE(map.is_sound());
}

TEST(SharedMap, ListsItsKeys) {
    const SharedMap map = make(16 << 20);
    for (int i = 0; i < 1000; ++i)
        map.put("user:" + std::to_string(i), number(i), 0, i == 7 ? 5 : kNever);
    map.put("other", number(1), 0, kNever);
    std::vector<std::string> keys;
    ASSERT_TRUE(map.list_keys("user:", 10, keys));
    EXPECT_EQ(keys.size(), 999u);
    EXPECT_EQ(std::count(keys.begin(), keys.end(), "user:7"), 0);
}

TEST(SharedMap, IsEmptyOnceCleared) {
    const SharedMap map = make();
    for (int i = 0; i < 100; ++i)
        map.put(std::to_string(i), number(i), 0, kNever);
    ASSERT_TRUE(map.clear());
    EXPECT_EQ(figures(map).entries, 0u);
    EXPECT_EQ(figures(map).used_bytes, 0u);
    EXPECT_TRUE(map.is_sound());
    map.put("a", text("x"), 0, kNever);
    EXPECT_EQ(at(map, "a"), "x");
}

TEST(SharedMap, DoesAsAMapDoes) {
    const SharedMap map = make(1 << 20);
    std::map<std::string, std::string> model;
    std::mt19937 random(7);
    for (int i = 0; i < 50'000; ++i) {
        const std::string key = "k" + std::to_string(random() % 300);
        switch (random() % 4) {
            case 0: {
                const std::string value(random() % 600, static_cast<char>('a' + random() % 26));
                ASSERT_EQ(map.put(key, text(value), 0, kNever), Outcome::kDone);
                model[key] = value;
                break;
            }
            case 1: EXPECT_EQ(map.remove(key, 0), model.erase(key) ? Outcome::kDone : Outcome::kNot); break;
            default: EXPECT_EQ(at(map, key), model.count(key) ? model[key] : "(none)");
        }
    }
    EXPECT_EQ(figures(map).entries, model.size());
    EXPECT_TRUE(map.is_sound());
}

TEST(SharedMap, IsFoundByOthers) {
    const size_t bytes = SharedMap::kLeastBytes;
    void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const std::span<char> memory(static_cast<char*>(data), bytes);
    EXPECT_FALSE(SharedMap::attach(memory));
    SharedMap::format(memory, WhenFull::kRefuse, 1).put("a", text("x"), 0, kNever);
    EXPECT_EQ(at(SharedMap::attach(memory), "a"), "x");
}

/// Changes the map and counts each change in `done`, until it is killed.
[[noreturn]] void work(const SharedMap& map, unsigned seed, volatile uint64_t* done) {
    std::mt19937 random(seed);
    int64_t sum;
    for (;;) {
        const std::string key = "k" + std::to_string(random() % 40);
        map.put(key, text(std::string(random() % 700, static_cast<char>('a' + random() % 26))), 0, kNever);
        if (random() % 3 == 0) map.remove(key, 0);
        map.add("sum", 1, 0, kNever, sum);
        *done = *done + 1;
    }
}

TEST(SharedMap, SurvivesWhoIsKilledInTheMidstOfAChange) {
    const SharedMap map = make(256 << 10);
    auto* const done = static_cast<volatile uint64_t*>(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    constexpr int kWorkers = 4, kKills = 80;
    std::mt19937 random(3);
    pid_t workers[kWorkers] = {};
    for (int kill_number = 0; kill_number < kKills; ++kill_number) {
        for (int i = 0; i < kWorkers; ++i) {
            if (workers[i] == 0 && (workers[i] = fork()) == 0)
                work(map, static_cast<unsigned>(kill_number * kWorkers + i), &done[i]);
        }
        // The victim is killed after some changes, wherever it is then.
        const int victim = static_cast<int>(random() % kWorkers);
        for (const uint64_t enough = done[victim] + 1 + random() % 50; done[victim] < enough;)
            usleep(50);
        kill(workers[victim], SIGKILL);
        waitpid(workers[victim], nullptr, 0);
        workers[victim] = 0;
    }
    for (pid_t worker : workers) {
        if (worker) kill(worker, SIGKILL), waitpid(worker, nullptr, 0);
    }
    EXPECT_TRUE(map.is_sound());
    uint64_t noted = 0;
    for (int i = 0; i < kWorkers; ++i)
        noted += done[i];
    // A worker that dies between its change and its note leaves a change that is not noted.
    const uint64_t sum = std::stoull(at(map, "sum"));
    EXPECT_GE(sum, noted);
    EXPECT_LE(sum, noted + kKills + kWorkers);
    EXPECT_GT(figures(map).rebuilt, 0u) << "no worker was killed while it wrote";
    std::vector<std::string> keys;
    ASSERT_TRUE(map.list_keys("k", 0, keys));
    for (const std::string& key : keys) {
        const std::string value = at(map, key);
        EXPECT_EQ(value, std::string(value.size(), value.empty() ? 'a' : value[0])) << "the value is torn";
    }
}

}  // namespace
}  // namespace sluice
