#include "server/reactor/compression.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

namespace sluice {
namespace {

using websocket::DeflateParameters;
using websocket::DeflatePolicy;
using websocket::deflater_bytes;
using websocket::Inflater;
using websocket::inflater_bytes;

constexpr uint64_t kPlenty = 64 << 20;

DeflatePolicy both_ways() {
    DeflatePolicy policy;
    policy.enabled = policy.server_takeover = policy.client_takeover = true;
    return policy;
}

std::string inflate(Inflater& inflater, std::string_view payload) {
    std::string whole(payload);
    whole += websocket::kMessageTail;
    std::string_view input = whole;
    std::string out(1 << 20, '\0');
    const auto written = inflater.inflate(input, out);
    EXPECT_TRUE(written && input.empty() && inflater.at_boundary());
    out.resize(written.value_or(0));
    return out;
}

std::string text(int number) {
    std::string out;
    for (int i = 0; i < 40; ++i)
        out += "the quick brown fox " + std::to_string(number * i) + ", ";
    return out;
}

std::string noise(size_t size) {
    std::mt19937 random(5);
    std::string out(size, '\0');
    for (char& byte : out)
        byte = static_cast<char>(random());
    return out;
}

TEST(CompressionContexts, TakeoverIsGivenUpToHalfOfTheMemory) {
    const size_t each = deflater_bytes(15) + inflater_bytes(15);
    CompressionContexts contexts(46 * each / 10);  // seven eighths of half of it: two
    ConnectionCompression connection;
    connection.client = 7;
    for (int i = 0; i < 2; ++i) {
        const DeflatePolicy policy = contexts.affordable(both_ways(), 7);
        ASSERT_TRUE(policy.server_takeover && policy.client_takeover) << i;
        contexts.reserve(connection.parameters, connection.client);
    }
    EXPECT_EQ(contexts.used_bytes(), 2 * each);
    const DeflatePolicy spent = contexts.affordable(both_ways(), 7);
    EXPECT_TRUE(spent.enabled);
    EXPECT_FALSE(spent.server_takeover || spent.client_takeover);
    contexts.unreserve(connection);
    EXPECT_TRUE(contexts.affordable(both_ways(), 7).server_takeover);
    contexts.unreserve(connection);
    EXPECT_EQ(contexts.used_bytes(), 0u);
}

TEST(CompressionContexts, OneClientLeavesTakeoverToOthers) {
    const size_t each = deflater_bytes(15) + inflater_bytes(15);
    CompressionContexts contexts(32 * each);
    ConnectionCompression connection;
    size_t reserved = 0;
    for (; contexts.affordable(both_ways(), 7).server_takeover; ++reserved)
        contexts.reserve(connection.parameters, 7);
    EXPECT_EQ(reserved, 14u);
    EXPECT_TRUE(contexts.affordable(both_ways(), 8).server_takeover);
}

TEST(CompressionContexts, TheCheaperTakeoverIsGivenWhenThereIsNotEnoughForBoth) {
    CompressionContexts contexts(2 * inflater_bytes(15));
    const DeflatePolicy policy = contexts.affordable(both_ways(), 7);
    EXPECT_TRUE(policy.client_takeover);
    EXPECT_FALSE(policy.server_takeover);
}

TEST(CompressionContexts, AnInflaterIsAlwaysThereForOneAndForMoreWithinTheLimit) {
    const size_t each = inflater_bytes(15);
    for (uint64_t limit : {uint64_t{0}, uint64_t{each}, uint64_t{3 * each}}) {
        CompressionContexts contexts(limit);
        std::vector<std::unique_ptr<Inflater>> borrowed;
        while (auto inflater = contexts.borrow_inflater())
            borrowed.push_back(std::move(inflater));
        EXPECT_EQ(borrowed.size(), std::max<size_t>(1, limit / each)) << limit;
        EXPECT_EQ(contexts.used_bytes(), borrowed.size() * each);
        contexts.give_back(std::move(borrowed.back()));
        EXPECT_NE(contexts.borrow_inflater(), nullptr);
    }
}

TEST(CompressionContexts, ABorrowedInflaterRemembersNothing) {
    CompressionContexts contexts(kPlenty);
    auto inflater = contexts.borrow_inflater();
    websocket::Deflater deflater(15, 9);
    std::string payload;
    deflater.compress("Hello", payload);
    EXPECT_EQ(inflate(*inflater, payload), "Hello");
    contexts.give_back(std::move(inflater));
    inflater = contexts.borrow_inflater();
    deflater.compress("Hello", payload);  // refers to the first message
    payload += websocket::kMessageTail;
    std::string_view input = payload;
    char out[100];
    EXPECT_FALSE(inflater->inflate(input, out));
    contexts.give_back(std::move(inflater));
}

TEST(CompressionContexts, FewInflatersAreKeptReady) {
    CompressionContexts contexts(kPlenty);
    std::vector<std::unique_ptr<Inflater>> borrowed;
    for (int i = 0; i < 50; ++i)
        borrowed.push_back(contexts.borrow_inflater());
    for (auto& inflater : borrowed)
        contexts.give_back(std::move(inflater));
    EXPECT_LE(contexts.used_bytes(), 4 * inflater_bytes(15));
}

TEST(CompressionContexts, MessagesWithoutTakeoverStandAlone) {
    CompressionContexts contexts(kPlenty);
    for (int i = 0; i < 3; ++i) {
        Inflater fresh(15);
        EXPECT_EQ(inflate(fresh, contexts.compress(text(i), 15, 1)), text(i));
    }
    EXPECT_EQ(contexts.used_bytes(), deflater_bytes(15)) << "all messages have one deflater";
    contexts.compress(text(1), 9, 1);
    EXPECT_EQ(contexts.used_bytes(), deflater_bytes(15) + deflater_bytes(9));
}

TEST(CompressionContexts, WhatDoesNotBecomeSmallerIsNotCompressed) {
    CompressionContexts contexts(kPlenty);
    EXPECT_TRUE(contexts.compress(noise(1000), 15, 9).empty());
    EXPECT_TRUE(contexts.compress("", 15, 9).empty());
    Inflater fresh(15);
    EXPECT_EQ(inflate(fresh, contexts.compress(text(1), 15, 9)), text(1));
}

TEST(CompressionContexts, WithoutMemoryForADeflaterNothingIsCompressed) {
    CompressionContexts contexts(deflater_bytes(15) - 1);
    EXPECT_TRUE(contexts.compress(text(1), 15, 1).empty());
    EXPECT_FALSE(contexts.compress(text(1), 9, 1).empty()) << "a smaller deflater fits into the memory";
}

TEST(CompressionContexts, WithTakeoverAMessageRefersToEarlierOnes) {
    CompressionContexts contexts(kPlenty);
    ConnectionCompression connection;
    Inflater client(15);
    const size_t first = contexts.compress_for(connection, text(1)).size();
    connection.deflater_is_behind = true;
    EXPECT_EQ(inflate(client, contexts.compress_for(connection, text(1))), text(1));
    const std::string again(contexts.compress_for(connection, text(1)));
    EXPECT_LT(again.size(), first / 2);
    EXPECT_EQ(inflate(client, again), text(1));
}

TEST(CompressionContexts, WithTakeoverMessagesThatWentAnotherWayDoNotConfuseTheClient) {
    CompressionContexts contexts(kPlenty);
    ConnectionCompression connection;
    Inflater client(15);
    EXPECT_EQ(inflate(client, contexts.compress_for(connection, text(1))), text(1));
    // Noise goes uncompressed, for it would not become smaller; the context stays good.
    EXPECT_TRUE(contexts.compress_for(connection, noise(5000)).empty());
    EXPECT_EQ(inflate(client, contexts.compress_for(connection, text(1))), text(1));
    // A message in the form that all subscribers share does not use the connection's context.
    EXPECT_EQ(inflate(client, contexts.compress(text(2), 15, 1)), text(2));
    connection.deflater_is_behind = true;
    EXPECT_EQ(inflate(client, contexts.compress_for(connection, text(1))), text(1));
    EXPECT_EQ(inflate(client, contexts.compress_for(connection, text(2))), text(2));
}

}  // namespace
}  // namespace sluice
