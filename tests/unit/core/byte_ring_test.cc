#include "core/byte_ring.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <thread>

namespace sluice {
namespace {

/// A ring whose data is a heap block of exactly its size: the sanitiser sees any byte touched outside.
struct Ring {
    explicit Ring(size_t capacity_) : capacity(capacity_), data(new char[capacity_]) {}
    RingProducer producer() { return RingProducer(&header, data.get(), capacity); }
    RingConsumer consumer() { return RingConsumer(&header, data.get(), capacity); }

    size_t capacity;
    RingHeader header{};
    std::unique_ptr<char[]> data;
};

bool put(RingProducer& producer, uint16_t kind, std::string_view text) {
    const size_t size = sizeof(RecordHeader) + text.size();
    char* place = producer.reserve(size);
    if (!place) return false;
    const RecordHeader header{static_cast<uint32_t>(size), kind, 0};
    memcpy(place, &header, sizeof header);
    memcpy(place + sizeof header, text.data(), text.size());
    return true;
}

std::string_view text_of(std::span<char> record) {
    return {record.data() + sizeof(RecordHeader), record.size() - sizeof(RecordHeader)};
}

void write_header(Ring& ring, size_t offset, RecordHeader header) {
    memcpy(ring.data.get() + offset, &header, sizeof header);
}

TEST(ByteRing, TheConsumerOwesOneRingOnceItHasTakenWhatIsAwaited) {
    Ring ring(256);
    RingProducer producer = ring.producer();
    RingConsumer consumer = ring.consumer();
    ASSERT_TRUE(put(producer, 7, "one"));
    const uint64_t first_end = producer.position();
    ASSERT_TRUE(put(producer, 7, "two"));
    producer.commit();
    uint16_t kind = 0;
    EXPECT_FALSE(consumer.must_ring()) << "nobody has asked";
    producer.await_taken(first_end);
    EXPECT_FALSE(consumer.must_ring());
    consumer.take(kind);
    EXPECT_TRUE(consumer.must_ring());
    EXPECT_FALSE(consumer.must_ring()) << "it rings once for each time that it is asked";
    producer.await_taken(first_end);
    EXPECT_TRUE(consumer.must_ring()) << "whoever asks late is told, too";
}

TEST(ByteRing, ARecordComesOutAsItWentIn) {
    Ring ring(256);
    RingProducer producer = ring.producer();
    RingConsumer consumer = ring.consumer();
    ASSERT_TRUE(put(producer, 7, "hello"));
    EXPECT_TRUE(producer.has_uncommitted());
    uint16_t kind = 0;
    EXPECT_TRUE(consumer.empty()) << "a record was seen before commit()";
    EXPECT_TRUE(consumer.take(kind).empty());
    producer.commit();
    EXPECT_FALSE(producer.has_uncommitted());
    EXPECT_FALSE(consumer.empty());
    std::span<char> record = consumer.take(kind);
    ASSERT_FALSE(record.empty());
    EXPECT_EQ(kind, 7);
    EXPECT_EQ(text_of(record), "hello");
    EXPECT_TRUE(consumer.empty());
    EXPECT_FALSE(consumer.corrupt());
}

TEST(ByteRing, RecordsAreAligned) {
    Ring ring(256);
    RingProducer producer = ring.producer();
    for (size_t i = 0; i < 8; ++i) {
        char* place = producer.reserve(sizeof(RecordHeader) + i);
        ASSERT_NE(place, nullptr);
        EXPECT_EQ(static_cast<size_t>(place - ring.data.get()) % kRecordAlign, 0u);
    }
}

TEST(ByteRing, FullUntilTheConsumerFrees) {
    Ring ring(64);
    RingProducer producer = ring.producer();
    RingConsumer consumer = ring.consumer();
    ASSERT_TRUE(put(producer, 1, std::string(24, 'a')));
    ASSERT_TRUE(put(producer, 2, std::string(24, 'b')));
    EXPECT_FALSE(producer.has_room(8));
    EXPECT_EQ(producer.reserve(8), nullptr);
    producer.commit();
    uint16_t kind = 0;
    ASSERT_FALSE(consumer.take(kind).empty());
    EXPECT_FALSE(producer.has_room(8))
        << "a record that is taken is still being read, so its place is not free";
    consumer.publish_taken();
    EXPECT_EQ(producer.taken(), 32u);
    EXPECT_EQ(producer.consumed(), 0u);
    consumer.free_until(consumer.position());
    EXPECT_EQ(producer.consumed(), 32u);
    EXPECT_TRUE(producer.has_room(32));
    EXPECT_FALSE(producer.has_room(40));
    EXPECT_FALSE(producer.corrupt());
}

TEST(ByteRing, ARecordThatWouldCrossTheEndBeginsAtTheStart) {
    Ring ring(128);
    RingProducer producer = ring.producer();
    RingConsumer consumer = ring.consumer();
    uint16_t kind = 0;
    ASSERT_TRUE(put(producer, 1, std::string(72, 'a')));  // 80 bytes: 48 are left
    producer.commit();
    ASSERT_FALSE(consumer.take(kind).empty());
    consumer.free_until(consumer.position());
    const std::string long_text(56, 'b');  // 64 bytes
    ASSERT_TRUE(put(producer, 2, long_text));
    EXPECT_EQ(producer.position(), 128u + 64u);
    producer.commit();
    std::span<char> record = consumer.take(kind);
    EXPECT_EQ(record.data(), ring.data.get());
    EXPECT_EQ(kind, 2);
    EXPECT_EQ(text_of(record), long_text);
}

TEST(ByteRing, MoreThanTheCapacityNeverFits) {
    Ring ring(64);
    RingProducer producer = ring.producer();
    EXPECT_TRUE(producer.has_room(64));
    EXPECT_FALSE(producer.has_room(65));
    EXPECT_EQ(producer.reserve(SIZE_MAX - 64), nullptr);
    EXPECT_FALSE(producer.corrupt());
}

TEST(ByteRing, EndsThatComeLaterGoOnWhereTheOthersStopped) {
    Ring ring(128);
    uint16_t kind = 0;
    RingProducer first = ring.producer();
    ASSERT_TRUE(put(first, 1, "one"));
    ASSERT_TRUE(put(first, 1, "two"));
    first.commit();
    RingConsumer reader = ring.consumer();
    reader.take(kind);
    reader.free_until(reader.position());
    RingProducer second = ring.producer();
    ASSERT_TRUE(put(second, 1, "three"));
    second.commit();
    RingConsumer later = ring.consumer();
    EXPECT_EQ(text_of(later.take(kind)), "two");
    EXPECT_EQ(text_of(later.take(kind)), "three");
    EXPECT_TRUE(later.take(kind).empty());
}

TEST(ByteRing, EndsBeginAtAPlaceForRecordsWhateverStandsThere) {
    for (const uint64_t position :
         {uint64_t{7}, uint64_t{127}, uint64_t{125}, UINT64_MAX, UINT64_MAX - 127}) {
        Ring ring(128);
        ring.header.produced = position;
        ring.header.consumed = position;
        RingProducer producer = ring.producer();
        EXPECT_EQ(producer.position() % kRecordAlign, 0u);
        for (int number = 0; number < 20; ++number)
            put(producer, 1, "text");
        producer.commit();
        RingConsumer consumer = ring.consumer();
        uint16_t kind = 0;
        while (!consumer.take(kind).empty())
            consumer.free_until(consumer.position());
    }
}

// -- A producer that lies

struct Lie {
    const char* name;
    RecordHeader header;
    uint64_t produced;
};

class LyingProducer : public testing::TestWithParam<Lie> {};

TEST_P(LyingProducer, IsFoundOut) {
    Ring ring(64);
    RingConsumer consumer = ring.consumer();
    write_header(ring, 0, GetParam().header);
    ring.header.produced = GetParam().produced;
    uint16_t kind = 0;
    EXPECT_TRUE(consumer.take(kind).empty());
    EXPECT_TRUE(consumer.corrupt());
    // A ring that was corrupt once stays so, though its header is good again.
    write_header(ring, 0, {16, 1, 0});
    ring.header.produced = 16;
    EXPECT_TRUE(consumer.take(kind).empty());
}

INSTANTIATE_TEST_SUITE_P(ByteRing, LyingProducer,
                         testing::Values(Lie{"size_zero", {0, 1, 0}, 16},
                                         Lie{"smaller_than_its_header", {7, 1, 0}, 16},
                                         Lie{"more_than_was_produced", {24, 1, 0}, 16},
                                         Lie{"rounded_more_than_was_produced", {9, 1, 0}, 9},
                                         Lie{"greatest_size", {UINT32_MAX, 1, 0}, 64},
                                         Lie{"more_than_the_capacity", {128, 1, 0}, 128},
                                         Lie{"produced_too_much", {16, 1, 0}, 72},
                                         Lie{"produced_backwards", {16, 1, 0}, UINT64_MAX - 7},
                                         Lie{"padding_of_size_zero", {0, 0, 0}, 16},
                                         Lie{"padding_that_does_not_end_at_the_end", {8, 0, 0}, 64},
                                         Lie{"padding_of_everything", {64, 0, 0}, 64}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ByteRing, ARecordAcrossTheEndIsALie) {
    Ring ring(64);
    RingConsumer consumer = ring.consumer();
    uint16_t kind = 0;
    write_header(ring, 0, {48, 1, 0});
    ring.header.produced = 48;
    ASSERT_FALSE(consumer.take(kind).empty());
    write_header(ring, 48, {24, 1, 0});
    ring.header.produced = 72;
    EXPECT_TRUE(consumer.take(kind).empty());
    EXPECT_TRUE(consumer.corrupt());
}

// -- A consumer that lies

TEST(ByteRing, PaddingBeforeTheEndIsALie) {
    Ring ring(64);
    RingConsumer consumer = ring.consumer();
    uint16_t kind = 0;
    write_header(ring, 0, {16, 1, 0});
    ring.header.produced = 16;
    ASSERT_FALSE(consumer.take(kind).empty());
    write_header(ring, 16, {8, 0, 0});
    write_header(ring, 24, {16, 1, 0});
    ring.header.produced = 40;
    EXPECT_TRUE(consumer.take(kind).empty());
    EXPECT_TRUE(consumer.corrupt());
}

TEST(ByteRing, AConsumerThatFreesWhatWasNeverThereIsFoundOut) {
    Ring ring(64);
    RingProducer producer = ring.producer();
    ASSERT_TRUE(put(producer, 1, std::string(56, 'a')));
    producer.commit();
    ring.header.consumed = 72;
    EXPECT_EQ(producer.reserve(8), nullptr);
    EXPECT_TRUE(producer.corrupt());
    ring.header.consumed = 64;
    EXPECT_EQ(producer.reserve(8), nullptr) << "a corrupt ring stays corrupt";
}

TEST(ByteRing, AConsumerThatTakesBackWhatItFreedIsFoundOut) {
    Ring ring(64);
    RingProducer producer = ring.producer();
    ASSERT_TRUE(put(producer, 1, std::string(56, 'a')));
    ring.header.consumed = 64;
    ASSERT_TRUE(put(producer, 1, std::string(56, 'a')));
    ring.header.consumed = 8;
    EXPECT_EQ(producer.reserve(8), nullptr);
    EXPECT_TRUE(producer.corrupt());
}

// -- Producer and consumer at once

TEST(ByteRing, RandomRecordsKeepOrderAndContent) {
    std::mt19937 random(1);
    for (size_t capacity : {64, 256, 4096}) {
        Ring ring(capacity);
        RingProducer producer = ring.producer();
        RingConsumer consumer = ring.consumer();
        uint64_t put_count = 0, taken_count = 0;
        for (int step = 0; step < 20000; ++step) {
            if (random() % 2) {
                const size_t most = capacity / 2 - sizeof(RecordHeader);
                const std::string text(random() % (most + 1), static_cast<char>('a' + put_count % 26));
                if (put(producer, static_cast<uint16_t>(1 + put_count % 100), text)) ++put_count;
                if (random() % 3 == 0) producer.commit();
            } else {
                uint16_t kind = 0;
                std::span<char> record = consumer.take(kind);
                if (record.empty()) {
                    producer.commit();
                    consumer.free_until(consumer.position());
                    continue;
                }
                ASSERT_EQ(kind, 1 + taken_count % 100);
                const std::string_view text = text_of(record);
                ASSERT_EQ(text.find_first_not_of(static_cast<char>('a' + taken_count % 26)), text.npos);
                ++taken_count;
                if (random() % 2) consumer.free_until(consumer.position());
            }
            ASSERT_FALSE(producer.corrupt());
            ASSERT_FALSE(consumer.corrupt());
        }
        EXPECT_GT(taken_count, 1000u);
    }
}

/// A data race shows here when this file is built with -fsanitize=thread.
TEST(ByteRing, TwoThreads) {
    constexpr uint32_t kRecords = 100'000;
    Ring ring(1024);
    std::thread writer([&] {
        RingProducer producer = ring.producer();
        for (uint32_t i = 0; i < kRecords; ++i) {
            std::string text(sizeof i + i % 200, static_cast<char>(i));
            memcpy(text.data(), &i, sizeof i);
            while (!put(producer, static_cast<uint16_t>(1 + i % 1000), text)) {
                producer.commit();
                std::this_thread::yield();
            }
            if (i % 3 == 0) producer.commit();
        }
        producer.commit();
        EXPECT_FALSE(producer.corrupt());
    });
    RingConsumer consumer = ring.consumer();
    uint32_t next = 0;
    while (next < kRecords && !consumer.corrupt()) {
        uint16_t kind = 0;
        std::span<char> record = consumer.take(kind);
        if (record.empty()) {
            std::this_thread::yield();
            continue;
        }
        uint32_t number;
        memcpy(&number, record.data() + sizeof(RecordHeader), sizeof number);
        const bool right = number == next && kind == 1 + next % 1000 &&
                           record.size() == sizeof(RecordHeader) + sizeof number + next % 200 &&
                           (next % 200 == 0 || record.back() == static_cast<char>(next));
        if (!right) break;
        ++next;
        consumer.publish_taken();
        if (next % 5 == 0 || consumer.empty()) consumer.free_until(consumer.position());
    }
    EXPECT_EQ(next, kRecords);
    EXPECT_FALSE(consumer.corrupt());
    ring.header.consumed = UINT64_MAX / 2;  // lets the writer end if the loop above gave up
    writer.join();
}

TEST(ByteRing, ACorruptProducerHasNoRoomForSmallRecordsEither) {
    Ring ring(256);
    RingProducer producer = ring.producer();
    ASSERT_TRUE(put(producer, 1, "small"));
    ring.header.consumed = 1 << 20;
    EXPECT_FALSE(producer.has_room(256)) << "the producer reads the position, which cannot be";
    EXPECT_TRUE(producer.corrupt());
    EXPECT_FALSE(producer.has_room(16)) << "a corrupt ring has no room";
    EXPECT_EQ(producer.reserve(16), nullptr);
}

TEST(ByteRing, WhatAProducerHadCompletedWhenItDiedIsProduced) {
    Ring ring(256);
    RingProducer producer = ring.producer();
    RingConsumer consumer = ring.consumer();
    ASSERT_TRUE(put(producer, 1, "said"));
    producer.complete();
    producer.commit();
    ASSERT_TRUE(put(producer, 1, "complete"));
    producer.complete();
    ASSERT_TRUE(put(producer, 1, "half written"));
    consumer.commit_for_producer();
    uint16_t kind = 0;
    EXPECT_EQ(text_of(consumer.take(kind)), "said");
    EXPECT_EQ(text_of(consumer.take(kind)), "complete");
    EXPECT_TRUE(consumer.take(kind).empty());
    for (const uint64_t lie : {uint64_t{0}, consumer.position() + 257, UINT64_MAX}) {
        ring.header.complete = lie;
        consumer.commit_for_producer();
        EXPECT_TRUE(consumer.take(kind).empty());
        EXPECT_FALSE(consumer.corrupt());
    }
}

}  // namespace
}  // namespace sluice
