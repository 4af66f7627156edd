#include "server/profile/profile.h"

#include <gtest/gtest.h>
#include <map>

namespace sluice {
namespace {

const std::vector<ValueType> kTypes = {{"samples", "count"}, {"cpu", "nanoseconds"}};

void add(Profile& profile, std::initializer_list<std::string_view> stack, int64_t count,
         std::initializer_list<ProfileLabel> labels = {}) {
    std::vector<ProfileFrame> frames;
    for (const std::string_view function : stack)
        frames.push_back({function, "/a.php", 7, 3});
    const int64_t values[] = {count, count * 10};
    profile.add(frames, {labels.begin(), labels.size()}, values);
}

/// `leaf;root key=text` with the first value, of each sample that has one.
std::map<std::string, int64_t> shown(const Profile& profile) {
    std::map<std::string, int64_t> all;
    for (const Profile::Sample& sample : profile.samples()) {
        if (sample.values[0] == 0) continue;
        std::string text;
        for (const uint32_t frame : sample.stack)
            text += (text.empty() ? "" : ";") + profile.strings()[profile.frames()[frame].function];
        for (const Profile::Label& label : sample.labels)
            text += " " + profile.strings()[label.key] + "=" + profile.strings()[label.text];
        EXPECT_EQ(sample.values[1], sample.values[0] * 10);
        EXPECT_TRUE(all.emplace(text, sample.values[0]).second) << text;
    }
    return all;
}

TEST(Profile, AddsUpByStackAndLabels) {
    Profile profile(kTypes, 1 << 20);
    add(profile, {"f", "main"}, 1);
    add(profile, {"f", "main"}, 2);
    add(profile, {"main"}, 4);
    add(profile, {"f", "main"}, 8, {{"route", "/a"}});
    EXPECT_EQ(shown(profile),
              (std::map<std::string, int64_t>{{"f;main", 3}, {"main", 4}, {"f;main route=/a", 8}}));
    EXPECT_EQ(profile.strings()[0], "");
}

TEST(Profile, TravelsAndGetsFurtherLabels) {
    Profile one(kTypes, 1 << 20), two(kTypes, 1 << 20), all(kTypes, 1 << 20);
    add(one, {"f", "main"}, 1, {{"route", "/a"}});
    add(two, {"f", "main"}, 2, {{"route", "/a"}});
    const ProfileLabel first{"worker", "0"}, second{"worker", "1"};
    EXPECT_TRUE(all.add_record(one.record(), {&first, 1}));
    EXPECT_TRUE(all.add_record(two.record(), {&second, 1}));
    EXPECT_TRUE(all.add_record(two.record(), {&second, 1}));
    EXPECT_EQ(shown(all), (std::map<std::string, int64_t>{{"f;main route=/a worker=0", 1},
                                                          {"f;main route=/a worker=1", 4}}));
}

TEST(Profile, StaysWithinItsBoundAndLosesNoValue) {
    constexpr size_t kMost = 4096;
    Profile profile(kTypes, kMost);
    for (int number = 0; number < 1000; ++number)
        add(profile, {"function_" + std::to_string(number), "main"}, 1);
    EXPECT_LE(profile.record().size(), kMost);
    int64_t total = 0;
    for (const auto& [stack, value] : shown(profile))
        total += value;
    EXPECT_EQ(total, 1000);
    EXPECT_GT(shown(profile).at(std::string(Profile::kFull)), 0);
}

TEST(Profile, CutsStacksThatAreTooDeep) {
    Profile profile(kTypes, 1 << 20);
    std::vector<ProfileFrame> frames(Profile::kMostDepth + 100, {"f", "/a.php", 1, 1});
    const int64_t values[] = {1, 10};
    profile.add(frames, {}, values);
    EXPECT_EQ(profile.samples().back().stack.size(), Profile::kMostDepth);
    Profile other(kTypes, 1 << 20);
    EXPECT_TRUE(other.add_record(profile.record(), {}));
}

TEST(Profile, HasOnlyUtf8) {
    Profile profile(kTypes, 1 << 20);
    add(profile, {"caf\xe9"}, 1);
    EXPECT_EQ(shown(profile).begin()->first, "caf?");
}

TEST(Profile, TakesNothingOfARecordThatIsCutOffOrChanged) {
    Profile one(kTypes, 1 << 20);
    add(one, {"f", "main"}, 1, {{"route", "/a"}});
    const std::string record = one.record();
    for (size_t size = 0; size < record.size(); ++size) {
        Profile all(kTypes, 1 << 20);
        EXPECT_FALSE(all.add_record(record.substr(0, size), {})) << size;
        EXPECT_TRUE(shown(all).empty()) << size;
    }
    Profile all(kTypes, 1 << 20);
    EXPECT_FALSE(all.add_record(record + '\0', {}));
    // Whatever a byte becomes, nothing outside is read.
    for (size_t at = 0; at < record.size(); ++at) {
        for (const char byte : {'\0', '\x01', '\x7f', '\xff'}) {
            std::string changed = record;
            changed[at] = byte;
            Profile into(kTypes, 1 << 20);
            into.add_record(changed, {});
        }
    }
}

TEST(Profile, RefusesOtherTypes) {
    Profile one({{"waits", "count"}, {"suspended", "nanoseconds"}}, 1 << 20), all(kTypes, 1 << 20);
    EXPECT_FALSE(all.add_record(one.record(), {}));
}

}  // namespace
}  // namespace sluice
