#include "protocol/websocket/websocket_mask.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>

namespace sluice::websocket {
namespace {

constexpr MaskKey kMask = {0x37, 0xfa, 0x21, 0x3d};

/// Masks byte by byte, as RFC 6455 section 5.3 says it.
std::string naive(std::string text, MaskKey key, size_t phase) {
    for (size_t i = 0; i < text.size(); ++i) {
        text[i] = static_cast<char>(static_cast<uint8_t>(text[i]) ^ key[(phase + i) % 4]);
    }
    return text;
}

bool is_ascii(const std::string& text) {
    for (char c : text) {
        if (static_cast<uint8_t>(c) >= 0x80) return false;
    }
    return true;
}

std::string random_bytes(std::mt19937& random, size_t size) {
    std::string bytes(size, 0);
    for (char& c : bytes) {
        c = static_cast<char>(random());
    }
    return bytes;
}

TEST(WebsocketMask, ExampleOfRfc6455Section5_7) {
    std::string text = "\x7f\x9f\x4d\x51\x58";
    unmask(text.data(), text.size(), kMask);
    EXPECT_EQ(text, "Hello");
}

TEST(WebsocketMask, EverySizeAlignmentAndPhase) {
    std::mt19937 random(1);
    for (size_t size = 0; size <= 200; ++size) {
        for (size_t offset = 0; offset < 17; ++offset) {
            for (size_t phase = 0; phase < 5; ++phase) {
                const std::string bytes = random_bytes(random, size);
                auto memory = std::make_unique<char[]>(offset + size);
                bytes.copy(memory.get() + offset, size);
                unmask(memory.get() + offset, size, kMask, phase);
                ASSERT_EQ(std::string(memory.get() + offset, size), naive(bytes, kMask, phase))
                    << size << " bytes, offset " << offset << ", phase " << phase;
            }
        }
    }
}

TEST(WebsocketMask, TellsWhetherAllIsAsciiWhereverTheOtherByteIs) {
    for (size_t size = 0; size <= 200; ++size) {
        std::string text(size, 'x');
        std::string masked = naive(text, kMask, 3);
        EXPECT_TRUE(unmask_ascii(masked.data(), size, kMask, 3));
        EXPECT_EQ(masked, text);
        for (size_t at = 0; at < size; ++at) {
            text[at] = '\x80';
            masked = naive(text, kMask, 3);
            ASSERT_FALSE(unmask_ascii(masked.data(), size, kMask, 3)) << at << " of " << size;
            ASSERT_EQ(masked, text);
            text[at] = 'x';
        }
    }
}

TEST(WebsocketMask, TextIsValidatedAcrossBlocksAndCalls) {
    // The character lies across the border of a block, and across the border of two calls.
    for (size_t before = 4090; before <= 4100; ++before) {
        const std::string text = std::string(before, 'a') + "\xf0\x9f\x98\x80" + std::string(5000, 'b');
        for (size_t cut : {size_t{0}, before - 1, before, before + 1, before + 2, before + 3, before + 4}) {
            std::string masked = naive(text, kMask, 0);
            Utf8Validator validator;
            ASSERT_TRUE(unmask_text(masked.data(), cut, kMask, 0, validator));
            ASSERT_TRUE(unmask_text(masked.data() + cut, masked.size() - cut, kMask, cut, validator));
            ASSERT_TRUE(validator.complete());
            ASSERT_EQ(masked, text);
        }
    }
}

TEST(WebsocketMask, AsciiDoesNotCompleteACharacter) {
    const std::string text = std::string(4095, 'a') + "\xc3" + std::string(4096, 'b');
    std::string masked = naive(text, kMask, 0);
    Utf8Validator validator;
    EXPECT_FALSE(unmask_text(masked.data(), masked.size(), kMask, 0, validator));
}

TEST(WebsocketMask, RandomTextsAsTheNaiveReference) {
    std::mt19937 random(2);
    for (int round = 0; round < 2000; ++round) {
        const size_t size = random() % 300;
        const size_t phase = random() % 8;
        const MaskKey key = {uint8_t(random()), uint8_t(random()), uint8_t(random()), uint8_t(random())};
        std::string text;
        while (text.size() < size) {
            text += random() % 3 ? "ascii" : "\xe2\x82\xac";
        }
        if (random() % 2 && !text.empty()) text[random() % text.size()] = static_cast<char>(random());
        std::string masked = naive(text, key, phase);
        EXPECT_EQ(unmask_ascii(masked.data(), masked.size(), key, phase), is_ascii(text));
        EXPECT_EQ(masked, text);
        masked = naive(text, key, phase);
        Utf8Validator validator;
        EXPECT_EQ(unmask_text(masked.data(), masked.size(), key, phase, validator) && validator.complete(),
                  is_utf8(text));
    }
}

}  // namespace
}  // namespace sluice::websocket
