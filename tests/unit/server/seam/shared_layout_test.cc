#include "server/seam/shared_layout.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <vector>

#include "server/config/config.h"
#include "server/seam/reactor_figures.h"

namespace sluice {
namespace {

constexpr SharedLayout::Shape kShape{.mode = 0,
                                     .reactors = 2,
                                     .worker_slots = 3,
                                     .cells = 8,
                                     .ring_bytes = 1024,
                                     .arena_bytes = 16384,
                                     .out_bytes = 8192};

uint16_t take_kind(RingConsumer consumer) {
    uint16_t kind = 0;
    consumer.take(kind);
    return kind;
}

void put(RingProducer producer, uint16_t kind) {
    const RecordHeader header{sizeof(RecordHeader), kind, 0};
    memcpy(producer.reserve(sizeof header), &header, sizeof header);
    producer.commit();
}

TEST(SharedLayout, TheShapeFollowsTheConfig) {
    ServerConfig config;
    config.workers = 3;
    config.reactors = 2;
    config.limits.connections = 1000;
    config.limits.ring_bytes = 1 << 20;
    config.limits.arena_bytes = 10'000'001;
    SharedLayout::Shape shape = SharedLayout::shape_for(config);
    EXPECT_EQ(shape.first_service_slot(), 6u) << "a reload needs two slots for each worker";
    EXPECT_EQ(shape.service_slots, SharedLayout::kSpareServiceSlots);
    EXPECT_EQ(shape.reactors, 2u);
    EXPECT_EQ(shape.cells, 2048u);
    EXPECT_GE(shape.cells, 2 * config.limits.connections);
    EXPECT_EQ(shape.ring_bytes, 1u << 20);
    EXPECT_EQ(shape.arena_bytes % 4096, 0u);
    EXPECT_GE(2 * shape.arena_bytes, 10'000'000u);
    config.mode = Mode::kBase;
    shape = SharedLayout::shape_for(config);
    EXPECT_EQ(shape.reactors, 6u + SharedLayout::kSpareServiceSlots) << "one in each worker and service";
    EXPECT_EQ(shape.serving(), 3u);
    EXPECT_EQ(shape.arena_bytes, 0u);
    config.services = {{"queue", 2}, {"clock", 1}};
    shape = SharedLayout::shape_for(config);
    EXPECT_EQ(shape.first_service_slot(), 6u);
    EXPECT_EQ(shape.service_slots, 3 + SharedLayout::kSpareServiceSlots);
    EXPECT_EQ(shape.serving(), 3u);
    config.services.push_back({"tasks", 5, true});
    EXPECT_EQ(SharedLayout::shape_for(config).service_slots, 13 + SharedLayout::kSpareServiceSlots)
        << "pools of two generations overlap";
    config.workers = 128;
    shape = SharedLayout::shape_for(config);
    EXPECT_EQ(shape.reactors, kMaxReactors) << "ids have room for no more";
    EXPECT_EQ(shape.service_slots, 0u);
}

TEST(SharedLayout, NoTwoRegionsOverlap) {
    const SharedLayout layout = SharedLayout::create(kShape);
    ASSERT_TRUE(layout);
    // Arenas and cells have addresses; the rings are found below, by what is written through them.
    std::vector<std::pair<const char*, size_t>> regions;
    auto add = [&](const void* at, size_t bytes) {
        regions.emplace_back(static_cast<const char*>(at), bytes);
    };
    for (unsigned reactor = 0; reactor < kShape.reactors; ++reactor) {
        add(&layout.reactor(reactor), sizeof(ReactorCell));
        add(layout.arena(reactor).data(), layout.arena(reactor).size());
        for (uint64_t serial = 0; serial < kShape.cells; ++serial)
            add(&layout.connection(make_connection_id(reactor, serial)), sizeof(ConnectionCell));
        for (unsigned slot = 0; slot < kShape.worker_slots; ++slot) {
            add(layout.in_producer(reactor, slot).at(0), kShape.ring_bytes);
            add(layout.out_producer(slot, reactor).at(0), kShape.ring_bytes);
        }
    }
    for (unsigned slot = 0; slot < kShape.worker_slots; ++slot) {
        add(&layout.worker(slot), sizeof(WorkerCell));
        add(layout.out_arena(slot).data(), layout.out_arena(slot).size());
        add(layout.parked_arena(slot).data(), layout.parked_arena(slot).size());
    }
    std::sort(regions.begin(), regions.end());
    for (size_t i = 1; i < regions.size(); ++i)
        ASSERT_LE(regions[i - 1].first + regions[i - 1].second, regions[i].first) << i;
    for (const auto& [at, bytes] : regions)
        ASSERT_EQ(reinterpret_cast<uintptr_t>(at) % 64, 0u)
            << "the region shares a cache line with its neighbour";
    EXPECT_EQ(layout.arena(0).size(), kShape.arena_bytes);
    EXPECT_EQ(layout.out_arena(0).size(), kShape.out_bytes);
    // All regions are inside of the memory: the sanitiser does not know its end, but a write beyond faults.
    for (const auto& [at, bytes] : regions)
        memset(const_cast<char*>(at), 0xa5, bytes);
    // The writes to the regions have left the rings' headers alone, which have no address outside.
    for (unsigned reactor = 0; reactor < kShape.reactors; ++reactor) {
        for (unsigned slot = 0; slot < kShape.worker_slots; ++slot) {
            for (const RingProducer& ring :
                 {layout.in_producer(reactor, slot), layout.out_producer(slot, reactor)}) {
                EXPECT_EQ(ring.position(), 0u);
                EXPECT_EQ(ring.consumed(), 0u);
                EXPECT_EQ(ring.taken(), 0u);
            }
        }
    }
}

TEST(SharedLayout, EachPairHasItsTwoRings) {
    const SharedLayout layout = SharedLayout::create(kShape);
    uint16_t kind = 1;
    for (unsigned reactor = 0; reactor < kShape.reactors; ++reactor) {
        for (unsigned slot = 0; slot < kShape.worker_slots; ++slot) {
            put(layout.in_producer(reactor, slot), kind++);
            put(layout.out_producer(slot, reactor), kind++);
        }
    }
    kind = 1;
    for (unsigned reactor = 0; reactor < kShape.reactors; ++reactor) {
        for (unsigned slot = 0; slot < kShape.worker_slots; ++slot) {
            EXPECT_EQ(take_kind(layout.in_consumer(reactor, slot)), kind++);
            EXPECT_EQ(take_kind(layout.out_consumer(slot, reactor)), kind++);
        }
    }
    layout.reset_rings(1, 2);
    EXPECT_EQ(take_kind(layout.in_consumer(1, 2)), 0);
    EXPECT_EQ(take_kind(layout.out_consumer(2, 1)), 0);
    EXPECT_NE(take_kind(layout.in_consumer(1, 1)), 0);
    EXPECT_NE(take_kind(layout.in_consumer(0, 2)), 0);
}

TEST(SharedLayout, AnotherProcessSeesTheSame) {
    const SharedLayout layout = SharedLayout::create(kShape);
    const SharedLayout other = SharedLayout::attach(UniqueFd(dup(layout.fd())), layout.shape());
    ASSERT_TRUE(other);
    EXPECT_EQ(other.shape().cells, kShape.cells);
    put(layout.in_producer(1, 2), 77);
    EXPECT_EQ(take_kind(other.in_consumer(1, 2)), 77);
    layout.connection(make_connection_id(1, 5)).id = 9;
    EXPECT_EQ(other.connection(make_connection_id(1, 5)).id, 9u);
    layout.out_arena(2).back() = 'x';
    EXPECT_EQ(other.out_arena(2).back(), 'x');
}

TEST(SharedLayout, WhatReactorsCountByAddressNoWorkerChanges) {
    const SharedLayout reactors = SharedLayout::create(kShape);
    const SharedLayout worker = SharedLayout::attach(UniqueFd(dup(reactors.fd())), reactors.shape());
    reactors.addresses(1)[3].open = 5;
    ASSERT_TRUE(reactors.own_addresses());
    reactors.addresses(1)[3].open = 7;
    worker.addresses(1)[3].open = 0;
    worker.addresses(0)[0].key = 1;
    EXPECT_EQ(reactors.addresses(1)[3].open, 7u);
    EXPECT_EQ(reactors.addresses(0)[0].key, 0u);
    worker.reactor(1).connections = 9;
    EXPECT_EQ(reactors.reactor(1).connections, 9u) << "gauges are shared by worker and reactors";
    reactors.connection(make_connection_id(1, 5)).id = 9;
    EXPECT_EQ(worker.connection(make_connection_id(1, 5)).id, 9u);
}

TEST(SharedLayoutDeathTest, WhatAnotherReactorCountsByAddressCanBeReadOnly) {
    const SharedLayout other = SharedLayout::create(kShape);
    const SharedLayout own = SharedLayout::attach(UniqueFd(dup(other.fd())), other.shape());
    ASSERT_TRUE(own.protect_addresses_of_others(1));
    other.addresses(0)[3].open = 5;
    own.addresses(1)[3].open = 6;
    EXPECT_EQ(own.addresses(0)[3].open, 5u);
    EXPECT_EQ(other.addresses(1)[3].open, 6u);
    EXPECT_DEATH(own.addresses(0)[3].open = 0, "");
    own.reactor(0).connections = 1;
    own.connection(make_connection_id(0, 5)).id = 9;
}

TEST(SharedLayout, MemoryOfAnotherKindIsRefused) {
    EXPECT_FALSE(SharedLayout::attach(UniqueFd(), kShape));
    for (size_t bytes : {100, 4096, 1 << 20}) {
        UniqueFd file(memfd_create("test", MFD_CLOEXEC));
        ASSERT_EQ(ftruncate(file.get(), static_cast<off_t>(bytes)), 0);
        EXPECT_FALSE(SharedLayout::attach(std::move(file), kShape)) << bytes;
    }
    const SharedLayout layout = SharedLayout::create(kShape);
    SharedLayout::Shape other = kShape;
    other.worker_slots = 5;
    EXPECT_FALSE(SharedLayout::attach(UniqueFd(dup(layout.fd())), other));
}

/// A worker can write anywhere in the memory, and a process that maps it later is not misled by that.
TEST(SharedLayout, WhatStandsInTheMemorySaysNothingOfItsShape) {
    const SharedLayout layout = SharedLayout::create(kShape);
    struct stat about;
    ASSERT_EQ(fstat(layout.fd(), &about), 0);
    const std::string nonsense(static_cast<size_t>(about.st_size), '\xff');
    ASSERT_EQ(pwrite(layout.fd(), nonsense.data(), nonsense.size(), 0), about.st_size);
    const SharedLayout later = SharedLayout::attach(UniqueFd(dup(layout.fd())), layout.shape());
    ASSERT_TRUE(later);
    EXPECT_EQ(later.shape().secret, layout.shape().secret);
    layout.reset_rings(1, 2);
    put(layout.in_producer(1, 2), 77);
    EXPECT_EQ(take_kind(later.in_consumer(1, 2)), 77);
}

TEST(SharedLayout, IdsThatNameNoReactorFindACell) {
    const SharedLayout layout = SharedLayout::create(kShape);
    for (ConnectionId id : {make_connection_id(2, 1), make_connection_id(255, 3), kNoConnection, UINT64_MAX,
                            uint64_t{1} << 63, make_connection_id(1, UINT64_MAX)}) {
        const auto* cell = reinterpret_cast<const char*>(&layout.connection(id));
        const auto* first = reinterpret_cast<const char*>(&layout.connection(0));
        EXPECT_GE(cell, first);
        EXPECT_LT(cell, first + sizeof(ConnectionCell) * kShape.cells * kShape.reactors);
        EXPECT_NE(layout.connection(id).id, id == 0 ? 1 : id) << "the cell is not that of a real connection";
    }
}

TEST(SharedLayout, WhatIsCountedOutlivesTheMemory) {
    const SharedLayout old = SharedLayout::create(kShape), next = SharedLayout::create(kShape);
    old.reactor(1).messages_received.store(7);
    old.reactor(1).connections.store(5);
    old.worker(2).restarts.store(3);
    old.worker(2).lives.store(9);
    old.worker(2).handlers.store(4);
    old.figures(1).count_refusal("headBytes");
    old.figures(1).connections[0][1].store(6);
    old.figures(1).waits_since_us[0].store(8);
    old.figures(1).topics.store(2);
    next.carry_over(old);
    EXPECT_EQ(next.figures(1).refused[refusing_limit("headBytes")].load(), 1u);
    EXPECT_EQ(next.figures(1).connections[0][1].load(), 0u);
    EXPECT_EQ(next.figures(1).waits_since_us[0].load(), 0u);
    EXPECT_EQ(next.figures(1).topics.load(), 0u);
    EXPECT_EQ(next.reactor(1).messages_received.load(), 7u);
    EXPECT_EQ(next.reactor(1).connections.load(), 0u);
    EXPECT_EQ(next.worker(2).restarts.load(), 3u);
    EXPECT_EQ(next.worker(2).lives.load(), 9u) << "lives differ between all workers of a slot";
    EXPECT_EQ(next.worker(2).handlers.load(), 0u);
}

TEST(SharedLayout, ANewReactorHasNoConnections) {
    for (uint32_t cells : {8u, 64u}) {  // less than a page, and whole pages
        SharedLayout::Shape shape = kShape;
        shape.cells = cells;
        const SharedLayout layout = SharedLayout::create(shape);
        for (unsigned reactor = 0; reactor < 2; ++reactor) {
            for (uint64_t serial = 0; serial < cells; ++serial)
                layout.connection(make_connection_id(reactor, serial)).id =
                    make_connection_id(reactor, serial) + cells;
            layout.attachment(make_connection_id(reactor, 1)).id = make_connection_id(reactor, 1);
            layout.reactor(reactor).connections = 5;
            layout.figures(reactor).connections[2][0] = 5;
            layout.figures(reactor).tls_handshakes = 7;
        }
        layout.reset_reactor(1);
        EXPECT_EQ(layout.reactor(1).connections, 0u);
        EXPECT_EQ(layout.reactor(0).connections, 5u);
        EXPECT_EQ(layout.figures(1).connections[2][0], 0u);
        EXPECT_EQ(layout.figures(0).connections[2][0], 5u);
        EXPECT_EQ(layout.figures(1).tls_handshakes, 7u) << "what was counted stays";
        EXPECT_EQ(layout.attachment(make_connection_id(1, 1)).id, 0u);
        EXPECT_NE(layout.attachment(make_connection_id(0, 1)).id, 0u);
        for (uint64_t serial = 0; serial < cells; ++serial) {
            ASSERT_EQ(layout.connection(make_connection_id(1, serial)).id, 0u);
            ASSERT_NE(layout.connection(make_connection_id(0, serial)).id, 0u);
        }
    }
}

TEST(SharedLayout, ANewWorkerIsAwakeAndOwesNothing) {
    const SharedLayout layout = SharedLayout::create(kShape);
    layout.worker(1).sleeping = 1;
    layout.worker(1).alive = 1;
    layout.worker(1).lent_bytes = 10;
    layout.worker(2).lent_bytes = 20;
    layout.reset_worker(1);
    EXPECT_EQ(layout.worker(1).sleeping, 0u);
    EXPECT_EQ(layout.worker(1).alive, 0u);
    EXPECT_EQ(layout.worker(1).lent_bytes, 0u);
    EXPECT_EQ(layout.worker(2).lent_bytes, 20u);
}

TEST(ConnectionId, HoldsReactorAndSerial) {
    for (unsigned reactor : {0u, 1u, kMaxReactors - 1}) {
        for (uint64_t serial :
             {uint64_t{1}, uint64_t{1'700'000'000'000'000}, (uint64_t{1} << kSerialBits) - 1}) {
            const ConnectionId id = make_connection_id(reactor, serial);
            EXPECT_EQ(reactor_of(id), reactor);
            EXPECT_EQ(serial_of(id), serial);
            EXPECT_GT(static_cast<int64_t>(id), 0) << "as PHP's int";
        }
    }
}

}  // namespace
}  // namespace sluice
