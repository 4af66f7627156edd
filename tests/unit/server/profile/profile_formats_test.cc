#include "server/profile/profile_formats.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <zlib.h>

namespace sluice {
namespace {

std::string unpacked(const std::string& gzip) {
    z_stream stream = {};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    std::string text(1 << 20, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
    stream.avail_in = static_cast<uInt>(gzip.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return text;
}

/// A message of protobuf as it was read: by number, in their order. Numbers and bytes are kept apart.
struct Read {
    explicit Read(std::string_view data) {
        while (!data.empty()) {
            const uint64_t key = number(data);
            if ((key & 7) == 0) {
                numbers[key >> 3].push_back(number(data));
            } else {
                EXPECT_EQ(key & 7, 2u);
                const uint64_t size = number(data);
                EXPECT_LE(size, data.size());
                bytes[key >> 3].emplace_back(data.substr(0, size));
                data.remove_prefix(size);
            }
        }
    }
    static uint64_t number(std::string_view& data) {
        uint64_t value = 0;
        for (unsigned shift = 0; !data.empty(); shift += 7) {
            const uint8_t byte = static_cast<uint8_t>(data[0]);
            data.remove_prefix(1);
            value |= uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return value;
        }
        ADD_FAILURE() << "a number is cut off";
        return 0;
    }
    static std::vector<uint64_t> packed(std::string_view data) {
        std::vector<uint64_t> all;
        while (!data.empty())
            all.push_back(number(data));
        return all;
    }
    uint64_t one(unsigned field) const {
        const auto found = numbers.find(field);
        return found == numbers.end() ? 0 : found->second.at(0);
    }

    std::map<uint64_t, std::vector<uint64_t>> numbers;
    std::map<uint64_t, std::vector<std::string>> bytes;
};

Profile example() {
    Profile profile({{"samples", "count"}, {"cpu", "nanoseconds"}}, 1 << 20);
    const ProfileFrame stack[] = {{"f", "/a.php", 12, 10}, {"{main}", "/b;c.php", 3, 0}};
    const ProfileLabel labels[] = {{"route", "/\"x\""}};
    const int64_t values[] = {2, 20'000'000}, more[] = {1, 300};
    profile.add(stack, labels, values);
    profile.add({stack + 1, 1}, {}, more);
    const ProfileFrame other[] = {{"f", "/a.php", 13, 10}};
    profile.add(other, {}, more);
    return profile;
}

TEST(ProfileFormats, PprofHasAllOfIt) {
    const Read profile(unpacked(to_pprof(example(), {.begun_ns = 5,
                                                     .duration_ns = 7,
                                                     .period_type = {"cpu", "nanoseconds"},
                                                     .period = 10'000'000,
                                                     .comments = {"one is missing"}})));
    const std::vector<std::string>& strings = profile.bytes.at(6);
    EXPECT_EQ(strings[0], "");
    const auto type = [&](const std::string& data) {
        return strings[Read(data).one(1)] + "/" + strings[Read(data).one(2)];
    };
    ASSERT_EQ(profile.bytes.at(1).size(), 2u);
    EXPECT_EQ(type(profile.bytes.at(1)[0]), "samples/count");
    EXPECT_EQ(type(profile.bytes.at(1)[1]), "cpu/nanoseconds");
    EXPECT_EQ(type(profile.bytes.at(11)[0]), "cpu/nanoseconds");
    EXPECT_EQ(profile.one(12), 10'000'000u);
    EXPECT_EQ(profile.one(9), 5u);
    EXPECT_EQ(profile.one(10), 7u);
    EXPECT_EQ(strings[profile.one(13)], "one is missing");
    EXPECT_EQ(strings[profile.one(14)], "cpu");

    std::map<uint64_t, std::string> functions, locations;
    for (const std::string& data : profile.bytes.at(5)) {
        const Read one(data);
        EXPECT_TRUE(functions
                        .emplace(one.one(1), strings[one.one(2)] + "@" + strings[one.one(4)] + ":" +
                                                 std::to_string(one.one(5)))
                        .second);
    }
    for (const std::string& data : profile.bytes.at(4)) {
        const Read one(data);
        const Read line(one.bytes.at(4).at(0));
        EXPECT_TRUE(
            locations.emplace(one.one(1), functions.at(line.one(1)) + " " + std::to_string(line.one(2)))
                .second);
    }
    std::map<std::string, std::vector<uint64_t>> samples;
    for (const std::string& data : profile.bytes.at(2)) {
        const Read one(data);
        std::string text;
        for (const uint64_t location : Read::packed(one.bytes.at(1).at(0)))
            text += locations.at(location) + "\n";
        if (one.bytes.contains(3)) {
            const Read label(one.bytes.at(3).at(0));
            text += strings[label.one(1)] + "=" + strings[label.one(2)];
        }
        samples[text] = Read::packed(one.bytes.at(2).at(0));
    }
    EXPECT_EQ(samples, (std::map<std::string, std::vector<uint64_t>>{
                           {"f@/a.php:10 12\n{main}@/b;c.php:0 3\nroute=/\"x\"", {2, 20'000'000}},
                           {"{main}@/b;c.php:0 3\n", {1, 300}},
                           {"f@/a.php:10 13\n", {1, 300}},
                       }));
    // One function with two lines.
    EXPECT_EQ(std::ranges::count_if(functions, [](const auto& one) { return one.second == "f@/a.php:10"; }),
              1);
}

TEST(ProfileFormats, FoldedStacksAreRootFirst) {
    EXPECT_EQ(to_folded(example()), "{main};f 20000000\n{main} 300\nf 300\n");
}

TEST(ProfileFormats, SpeedscopeHasAProfileForEachValue) {
    const std::string text = to_speedscope(example(), "cpu \"of all\"");
    EXPECT_NE(text.find(R"("name":"cpu \"of all\"")"), std::string::npos);
    EXPECT_NE(text.find(R"({"name":"f","file":"/a.php","line":12})"), std::string::npos);
    EXPECT_NE(text.find(R"("unit":"nanoseconds","startValue":0,"endValue":20000600)"), std::string::npos);
    EXPECT_NE(text.find(R"("weights":[20000000,300,300]})"), std::string::npos);
}

TEST(ProfileFormats, AProfileOfNothingIsOne) {
    const Profile nothing({{"samples", "count"}}, 1 << 20);
    const Read profile(unpacked(to_pprof(nothing, {})));
    EXPECT_FALSE(profile.bytes.contains(2));
    EXPECT_EQ(to_folded(nothing), "");
}

}  // namespace
}  // namespace sluice
