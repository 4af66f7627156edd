#include "io/host_answer.h"

#include <arpa/inet.h>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace sluice {
namespace {

constexpr size_t kNeeded = 5000;

/// Answers as the C library does, from a buffer that has to be larger than the first one tried.
int answer(hostent& entry, char* room, size_t size, hostent** result, int* h_error) {
    static int calls = 0;
    ++calls;
    *h_error = 0;
    if (size < kNeeded) return ERANGE;
    char** lists = reinterpret_cast<char**>(room);
    char* text = room + 10 * sizeof(char*);
    lists[0] = text;
    lists[1] = text + 4;
    lists[2] = nullptr;
    memcpy(text, "\x7f\0\0\1\x0a\0\0\2", 8);
    lists[3] = text + 8;
    lists[4] = nullptr;
    strcpy(text + 8, "alias.example");
    strcpy(text + 32, "host.example");
    entry.h_name = text + 32;
    entry.h_aliases = lists + 3;
    entry.h_addrtype = AF_INET;
    entry.h_length = 4;
    entry.h_addr_list = lists;
    *result = &entry;
    return 0;
}

void expect_the_answer(const hostent& entry) {
    EXPECT_STREQ("host.example", entry.h_name);
    EXPECT_STREQ("alias.example", entry.h_aliases[0]);
    EXPECT_EQ(nullptr, entry.h_aliases[1]);
    EXPECT_EQ(AF_INET, entry.h_addrtype);
    EXPECT_EQ(0, memcmp(entry.h_addr_list[0], "\x7f\0\0\1", 4));
    EXPECT_EQ(0, memcmp(entry.h_addr_list[1], "\x0a\0\0\2", 4));
    EXPECT_EQ(nullptr, entry.h_addr_list[2]);
}

TEST(HostAnswer, AsksWithMoreRoomUntilItIsEnough) {
    HostAnswer found;
    found.ask(answer);
    ASSERT_TRUE(found.entry());
    expect_the_answer(*found.entry());
    HostAnswer moved = std::move(found);
    ASSERT_TRUE(moved.entry());
    EXPECT_FALSE(found.entry());
    expect_the_answer(*moved.entry());
}

TEST(HostAnswer, CopyOutlivesItInAnyMemoryThatIsLargeEnough) {
    for (size_t shift = 0; shift < sizeof(char*); ++shift) {
        std::vector<char> room(512);
        hostent copy = {};
        {
            HostAnswer found;
            found.ask(answer);
            ASSERT_TRUE(found.copy_to(copy, room.data() + shift, room.size() - shift));
        }
        expect_the_answer(copy);
    }
}

TEST(HostAnswer, TooLittleRoomIsSaidAndNotExceeded) {
    HostAnswer found;
    found.ask(answer);
    size_t size = 0;
    hostent copy = {};
    for (;; ++size) {
        std::vector<char> room(size);  // the sanitiser sees a write past its end
        if (found.copy_to(copy, room.data(), size)) break;
        ASSERT_LT(size, 512u);
    }
    EXPECT_GT(size, 5 * sizeof(char*));
}

TEST(HostAnswer, NotFoundIsNoEntry) {
    HostAnswer found;
    found.ask([](hostent&, char*, size_t, hostent** result, int* h_error) {
        *result = nullptr;
        *h_error = HOST_NOT_FOUND;
        return 0;
    });
    EXPECT_FALSE(found.entry());
    EXPECT_EQ(HOST_NOT_FOUND, found.h_error());
}

}  // namespace
}  // namespace sluice
