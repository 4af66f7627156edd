#include "io/doorbell.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <thread>

namespace sluice {
namespace {

bool rings(int fd, int timeout_ms = 0) {
    pollfd wanted{fd, POLLIN, 0};
    return poll(&wanted, 1, timeout_ms) == 1;
}

TEST(Doorbell, RingsOnlyForSleepers) {
    UniqueFd bell(Doorbell::create_fd());
    std::atomic<uint32_t> sleeping = 0;
    Doorbell::ring_if_asleep(sleeping, bell.get());
    EXPECT_FALSE(rings(bell.get()));
    Doorbell::about_to_sleep(sleeping);
    Doorbell::ring_if_asleep(sleeping, bell.get());
    EXPECT_TRUE(rings(bell.get()));
    EXPECT_EQ(sleeping, 0u) << "a second producer need not ring the bell";
    Doorbell::drain(bell.get());
    EXPECT_FALSE(rings(bell.get()));
    Doorbell::drain(bell.get());  // does not block
    Doorbell::about_to_sleep(sleeping);
    Doorbell::awake(sleeping);
    Doorbell::ring_if_asleep(sleeping, bell.get());
    EXPECT_FALSE(rings(bell.get()));
}

TEST(Doorbell, NoWakeUpIsLost) {
    UniqueFd bell(Doorbell::create_fd());
    std::atomic<uint32_t> sleeping = 0;
    std::atomic<uint32_t> published = 0;
    constexpr uint32_t kRounds = 20'000;
    std::atomic<uint32_t> seen = 0;
    std::thread producer([&] {
        for (uint32_t i = 1; i <= kRounds; ++i) {
            published.store(i, std::memory_order_release);
            Doorbell::ring_if_asleep(sleeping, bell.get());
            while (i % 4 == 0 && seen.load() < i)
                std::this_thread::yield();
        }
    });
    bool lost = false;
    while (seen < kRounds) {
        if (published.load(std::memory_order_acquire) == seen) {
            Doorbell::about_to_sleep(sleeping);
            if (published.load(std::memory_order_acquire) == seen && !rings(bell.get(), 10'000)) lost = true;
            Doorbell::awake(sleeping);
            Doorbell::drain(bell.get());
        }
        seen = published.load(std::memory_order_acquire);
    }
    producer.join();
    EXPECT_FALSE(lost);
}

}  // namespace
}  // namespace sluice
