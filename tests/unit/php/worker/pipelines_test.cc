#include "php/worker/pipelines.h"

#include <gtest/gtest.h>

namespace sluice::php {
namespace {

Inbound request_of(ConnectionId connection, uint32_t number) {
    return {.what = inbound::Request{.number = number, .pipelined = true}, .connection = connection};
}

uint32_t number_of(const Inbound& message) {
    return message.as<inbound::Request>()->number;
}

TEST(Pipelines, ARequestWaitsOnlyForAResponseOfItsConnection) {
    Pipelines pipelines;
    EXPECT_EQ(pipelines.add(request_of(1, 1)), nullptr);
    pipelines.begin(1);
    EXPECT_EQ(pipelines.add(request_of(2, 1)), nullptr);
    EXPECT_NE(pipelines.add(request_of(1, 2)), nullptr);
    EXPECT_EQ(pipelines.size(), 1u);
    EXPECT_FALSE(pipelines.has_ready());
}

TEST(Pipelines, EachBeginsWhenTheResponseBeforeItIsComplete) {
    Pipelines pipelines;
    pipelines.begin(1);
    pipelines.begin(2);
    for (const uint32_t number : {2u, 3u}) {
        pipelines.add(request_of(1, number));
        pipelines.add(request_of(2, 10 + number));
    }
    pipelines.end(2);
    ASSERT_TRUE(pipelines.has_ready());
    EXPECT_EQ(number_of(pipelines.take()), 12u);
    pipelines.begin(2);
    EXPECT_FALSE(pipelines.has_ready());
    pipelines.end(1);
    EXPECT_EQ(number_of(pipelines.take()), 2u);
    // What comes before it has begun stands behind it.
    EXPECT_NE(pipelines.add(request_of(1, 4)), nullptr);
    pipelines.begin(1);
    for (const uint32_t number : {3u, 4u}) {
        pipelines.end(1);
        EXPECT_EQ(number_of(pipelines.take()), number);
    }
    pipelines.end(1);
    EXPECT_FALSE(pipelines.has_ready());
    EXPECT_EQ(pipelines.add(request_of(1, 5)), nullptr);
    EXPECT_EQ(pipelines.size(), 1u) << "the other connection's";
}

TEST(Pipelines, ManyConnectionsComeAndGo) {
    Pipelines pipelines;
    for (ConnectionId connection = 1; connection < 100; ++connection) {
        pipelines.begin(connection);
        pipelines.begin(connection + 1000);
        EXPECT_NE(pipelines.add(request_of(connection, 2)), nullptr);
        pipelines.end(connection);
        EXPECT_EQ(pipelines.take().connection, connection);
        pipelines.end(connection);
        pipelines.end(connection + 1000);
        EXPECT_EQ(pipelines.add(request_of(connection + 1000, 2)), nullptr);
    }
    EXPECT_EQ(pipelines.size(), 0u);
}

}  // namespace
}  // namespace sluice::php
