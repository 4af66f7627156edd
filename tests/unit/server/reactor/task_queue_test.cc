#include "server/reactor/task_queue.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace sluice {
namespace {

TEST(TaskQueueTest, TasksOfOtherThreadsComeInTheirOrderAndOnce) {
    TaskQueue queue;
    EXPECT_FALSE(queue.has_tasks());
    EXPECT_TRUE(queue.take().empty());
    std::string done;
    std::thread other([&] {
        queue.add([&] { done += 'a'; });
        queue.add([&] { done += 'b'; });
    });
    other.join();
    EXPECT_TRUE(queue.has_tasks());
    for (const TaskQueue::Task& task : queue.take())
        task();
    EXPECT_EQ(done, "ab");
    EXPECT_FALSE(queue.has_tasks());
    EXPECT_TRUE(queue.take().empty());
}

}  // namespace
}  // namespace sluice
