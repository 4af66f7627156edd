#include "server/reactor/from_workers.h"

#include <fcntl.h>

#include "parts_driver.h"
#include "server/reactor/shared_message.h"

namespace sluice {
namespace {

class FromWorkersTest : public test::PartsTest {};

TEST_F(FromWorkersTest, ACommandGoesToTheSessionOfAnOpenConnection) {
    start();
    Connection& connection = connect();
    const Command send{.connection = connection.id, .payload = "hello"};
    parts_->from_workers.on_command(0, send, {});
    EXPECT_EQ(script_.calls, "command(hello) ");
    EXPECT_EQ(layout_.connection(connection.id).handled_bytes.load(), 5u);
    parts_->from_workers.on_command(0, {.connection = connection.id + 64, .payload = "x"}, {});
    parts_->life.finish(connection);
    parts_->from_workers.on_command(0, send, {});
    EXPECT_EQ(script_.calls, "command(hello) ");
}

TEST_F(FromWorkersTest, APublicationGoesToTheOtherReactorsToo) {
    start();
    std::string elsewhere;
    parts_->from_workers.publish_to_others = [&](const std::string& topic, Ref<SharedMessage> message,
                                                 ConnectionId) {
        elsewhere = topic + std::to_string(message->body_bytes());
    };
    parts_->from_workers.on_command(0, {.what = command::Publish{"room"}, .payload = "news"}, {});
    EXPECT_EQ(elsewhere, "room4");
}

TEST_F(FromWorkersTest, TheLastFinishedMessageIsTold) {
    start();
    Connection& connection = connect();
    connection.in_flight = 2;
    parts_->from_workers.on_finished(connection.id);
    EXPECT_EQ(script_.calls, "");
    parts_->from_workers.on_finished(connection.id);
    EXPECT_EQ(script_.calls, "handled ");
    parts_->from_workers.on_finished(connection.id);
    parts_->from_workers.on_finished(connection.id + 64);
    EXPECT_EQ(connection.in_flight, 0u);
}

TEST_F(FromWorkersTest, ALostRequestIsToldToTheSessionThatWaitsForIt) {
    start();
    Connection& connection = connect();
    script_.awaited = {0, 5};
    connection.in_flight = 1;
    parts_->from_workers.on_lost(0, InboundKind::kRequest, connection.id, 4);
    EXPECT_EQ(script_.calls, "");
    EXPECT_EQ(connection.in_flight, 0u);
    parts_->from_workers.on_lost(0, InboundKind::kRequest, connection.id, 5);
    EXPECT_EQ(script_.calls, "lost ");
}

TEST_F(FromWorkersTest, AResponseThatWasToComeLaterIsLostWithItsWorker) {
    start();
    connect();
    script_.awaited = {0, 5};
    parts_->from_workers.worker_gone(1);
    EXPECT_EQ(script_.calls, "");
    transport_.orphans = {5};
    parts_->from_workers.worker_gone(0);
    EXPECT_EQ(script_.calls, "") << "the transport tells whether its message is lost or moved";
    transport_.orphans.clear();
    parts_->from_workers.worker_gone(0);
    EXPECT_EQ(script_.calls, "lost ");
}

TEST_F(FromWorkersTest, WhatAWorkerHadNotBegunGoesToAnother) {
    transport_.add_worker();
    start();
    Connection& connection = connect();
    EXPECT_EQ(parts_->from_workers.worker_for_moved(InboundKind::kMessage, connection.id + 64, 0),
              kNoConnectionLeft);
    connection.in_flight = 1;
    EXPECT_EQ(parts_->from_workers.worker_for_moved(InboundKind::kRequest, connection.id, 5),
              kNoConnectionLeft);
    EXPECT_EQ(connection.in_flight, 0u) << "nobody awaits it, and nobody handles it";
    EXPECT_EQ(script_.calls, "handled ");
    ASSERT_TRUE(parts_->workers.can_deliver(connection, 0));
    parts_->workers.await_response(0, +1);
    script_.awaited = {0, 5};
    transport_.ready[0] = false;
    EXPECT_EQ(parts_->from_workers.worker_for_moved(InboundKind::kRequest, connection.id, 5), 1);
    EXPECT_EQ(script_.awaited.worker, 1);
    EXPECT_EQ(parts_->workers.responses_awaited(0), 0u);
    EXPECT_EQ(parts_->workers.responses_awaited(1), 1u);
    EXPECT_EQ(parts_->from_workers.worker_for_moved(InboundKind::kMessage, connection.id, 0), 1);
    transport_.ready[1] = false;
    EXPECT_EQ(parts_->from_workers.worker_for_moved(InboundKind::kMessage, connection.id, 0), kNoWorker);
    EXPECT_EQ(parts_->from_workers.worker_for_moved(InboundKind::kRequest, connection.id, 5), kNoWorker);
}

TEST_F(FromWorkersTest, ACorruptWorkerIsReported) {
    start();
    int reported = kNoWorker;
    parts_->from_workers.on_corrupt(2);
    parts_->from_workers.report_corrupt = [&](int worker) { reported = worker; };
    parts_->from_workers.on_corrupt(3);
    EXPECT_EQ(reported, 3);
}

}  // namespace
}  // namespace sluice
