#include "server/seam/server_stats.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <unistd.h>

#include "server/seam/shared_layout.h"

namespace sluice {
namespace {

constexpr SharedLayout::Shape kTwoWorkers{.mode = 0,
                                          .reactors = 2,
                                          .worker_slots = 4,
                                          .service_slots = 1,
                                          .cells = 8,
                                          .ring_bytes = 1024,
                                          .arena_bytes = 16384,
                                          .out_bytes = 8192};

void set(WorkerCell& cell, uint32_t generation, uint32_t number, uint32_t pid, uint64_t handled) {
    cell.alive = 1;
    cell.generation = generation;
    cell.number = number;
    cell.pid = pid;
    cell.handled = handled;
}

class ServerStatsTest : public testing::Test {
  protected:
    ServerStatsTest() {
        layout.reactor(0).connections = 3;
        layout.reactor(1).connections = 4;
        layout.reactor(1).messages_received = 9;
        set(layout.worker(0), 2, 1, 100, 50);
        set(layout.worker(1), 2, 0, 101, 60);
        set(layout.worker(2), 1, 1, 99, 70);
        layout.worker(0).handlers = 5;
        layout.worker(0).waiting = 2;
        layout.worker(0).coroutines = 6;
        set(layout.worker(3), 1, 0, 98, 1);  // a service
        layout.worker(3).restarts = 4;
    }

    SharedLayout layout = SharedLayout::create(kTwoWorkers);
};

TEST_F(ServerStatsTest, SumsUpReactorsAndWorkers) {
    ASSERT_TRUE(layout);
    const ServerStats stats = stats_of(layout);
    EXPECT_EQ(stats.connections, 7u);
    EXPECT_EQ(stats.messages_received, 9u);
    EXPECT_EQ(stats.workers, 3u);
    EXPECT_EQ(stats.coroutines, 6u);
    EXPECT_EQ(stats.services, 1u);
    EXPECT_EQ(stats.service_restarts, 4u);
}

TEST_F(ServerStatsTest, TellsOfEachWorkerThatIsReady) {
    std::vector<WorkerStats> workers = worker_stats_of(layout);
    ASSERT_EQ(workers.size(), 3u);
    EXPECT_EQ(workers[0].pid, 99);
    EXPECT_EQ(workers[1].pid, 101);
    const WorkerStats& last = workers[2];
    EXPECT_EQ(last.pid, 100);
    EXPECT_EQ(last.number, 1u);
    EXPECT_EQ(last.generation, 2u);
    EXPECT_EQ(last.handled, 50u);
    EXPECT_EQ(last.handlers, 5u);
    EXPECT_EQ(last.waiting, 2u);
    EXPECT_EQ(last.coroutines, 6u);
    layout.worker(2).alive = 0;
    EXPECT_EQ(worker_stats_of(layout).size(), 2u);
}

TEST_F(ServerStatsTest, FindsTheMemoryOfAProcess) {
    const UniqueFd shape = publish_shape(layout.shape());
    ASSERT_TRUE(shape);
    const SharedLayout found = layout_of_server(getpid());
    ASSERT_TRUE(found);
    EXPECT_EQ(stats_of(found).connections, 7u);
    layout.reactor(0).connections = 1;
    EXPECT_EQ(stats_of(found).connections, 5u);
}

TEST_F(ServerStatsTest, NobodyChangesTheShape) {
    const UniqueFd shape = publish_shape(layout.shape());
    EXPECT_EQ(pwrite(shape.get(), "x", 1, 0), -1);
    EXPECT_EQ(ftruncate(shape.get(), 0), -1);
}

TEST_F(ServerStatsTest, MemoryOfAnotherShapeIsNotRead) {
    SharedLayout::Shape other = layout.shape();
    ++other.worker_slots;
    const UniqueFd shape = publish_shape(other);
    EXPECT_FALSE(layout_of_server(getpid()));
    EXPECT_EQ(errno, EPROTO);
}

TEST_F(ServerStatsTest, AProcessMayHaveNone) {
    EXPECT_FALSE(layout_of_server(getpid())) << "there is no shape";
    EXPECT_EQ(errno, ENOENT);
    EXPECT_FALSE(layout_of_server(999'999'999));
    EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace sluice
