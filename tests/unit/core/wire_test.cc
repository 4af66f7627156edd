#include "core/wire.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Wire, WhatGoesInComesOut) {
    WireWriter writer;
    writer.put(uint8_t{7});
    writer.put_string("");
    writer.put(int64_t{-3});
    writer.put_string(std::string_view("a\0b", 3));
    writer.put(uint16_t{65535});
    WireReader reader(writer.bytes());
    EXPECT_EQ(reader.get<uint8_t>(), 7);
    EXPECT_EQ(reader.get_string(), "");
    EXPECT_EQ(reader.get<int64_t>(), -3);
    EXPECT_EQ(reader.get_string(), std::string("a\0b", 3));
    EXPECT_EQ(reader.get<uint16_t>(), 65535);
    EXPECT_TRUE(reader.ok());
}

TEST(Wire, EveryTruncationIsNoticed) {
    WireWriter writer;
    writer.put(uint32_t{1});
    writer.put_string("hello");
    writer.put(uint64_t{2});
    for (size_t size = 0; size < writer.bytes().size(); ++size) {
        // The bytes have a heap block of their own, so that the sanitiser sees a read past the end.
        const std::string bytes = writer.bytes().substr(0, size);
        WireReader reader(bytes);
        reader.get<uint32_t>();
        reader.get_string();
        EXPECT_EQ(reader.get<uint64_t>(), 0u) << size;
        EXPECT_FALSE(reader.ok()) << size;
        EXPECT_EQ(reader.get<uint8_t>(), 0) << "after its first miss a reader reads nothing";
    }
}

TEST(Wire, AStringLongerThanTheRest) {
    WireWriter writer;
    writer.put(UINT32_MAX);
    writer.put(uint64_t{1});
    WireReader reader(writer.bytes());
    EXPECT_EQ(reader.get_string(), "");
    EXPECT_FALSE(reader.ok());
    EXPECT_EQ(reader.get<uint64_t>(), 0u);
}

}  // namespace
}  // namespace sluice
