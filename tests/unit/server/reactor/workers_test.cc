#include "server/reactor/workers.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class WorkersTest : public test::PartsTest {};

TEST_F(WorkersTest, AConnectionStaysWithItsWorkerWhileThatHasMessagesOfIt) {
    transport_.add_worker();
    start();
    Connection& connection = connect();
    EXPECT_TRUE(parts_->workers.can_deliver(connection, 10));
    EXPECT_EQ(connection.worker, 0);
    Inbound message;
    parts_->workers.deliver(connection, connection.worker, message, {});
    EXPECT_EQ(connection.in_flight, 1u);
    transport_.ready[0] = false;
    EXPECT_FALSE(parts_->workers.can_deliver(connection, 10))
        << "the message would overtake the one that is in flight";
    connection.in_flight = 0;
    EXPECT_TRUE(parts_->workers.can_deliver(connection, 10));
    EXPECT_EQ(connection.worker, 1);
    EXPECT_EQ(transport_.bound, (std::vector<int>{0, 1}));
    parts_->workers.unbind(connection);
    EXPECT_EQ(transport_.bound, (std::vector<int>{0, 0}));
    EXPECT_EQ(parts_->workers.messages_delivered(), 1u);
}

TEST_F(WorkersTest, AMessageSaysWhereItComesFrom) {
    start();
    Connection& connection = connect();
    connection.trusted = true;
    ASSERT_TRUE(parts_->workers.can_deliver(connection, 10));
    Inbound message;
    parts_->workers.deliver(connection, 0, message, {});
    EXPECT_EQ(message.connection, connection.id);
    EXPECT_TRUE(message.trusted);
    EXPECT_FALSE(message.secure);
    EXPECT_EQ(transport_.delivered.at(0).connection, connection.id);
}

TEST_F(WorkersTest, ARequestSaysWhetherItCameBeforeTheLastAnswer) {
    start();
    Connection& connection = connect();
    ASSERT_TRUE(parts_->workers.can_deliver(connection, 10));
    for (const bool ahead : {false, true}) {
        connection.runs_ahead = ahead;
        Inbound message{.what = inbound::Request{.number = 1}};
        parts_->workers.deliver(connection, 0, message, {});
        EXPECT_EQ(message.as<inbound::Request>()->ahead, ahead);
    }
}

TEST_F(WorkersTest, ACancellationIsToldWhenThereIsRoom) {
    start();
    Connection& connection = connect();
    parts_->workers.cancel_request(connection, kNoWorker, 1, CancelReason::kOverdue);
    EXPECT_FALSE(parts_->workers.has_cancellations());
    parts_->workers.cancel_request(connection, 0, 7, CancelReason::kOverdue);
    transport_.accepting = false;
    parts_->workers.send_cancellations();
    EXPECT_TRUE(parts_->workers.has_cancellations());
    parts_->life.destroy(connection);
    transport_.accepting = true;
    parts_->workers.send_cancellations();
    EXPECT_FALSE(parts_->workers.has_cancellations());
    ASSERT_EQ(transport_.notified.size(), 1u);
    EXPECT_EQ(transport_.notified[0].request, 7u);
    EXPECT_EQ(transport_.notified[0].reason, CancelReason::kOverdue);
}

TEST_F(WorkersTest, OwedResponsesAndNamesAreKeptBySlot) {
    start();
    parts_->workers.owe_response(2, +1);
    parts_->workers.owe_response(2, +1);
    parts_->workers.owe_response(2, -1);
    EXPECT_EQ(parts_->workers.responses_owed(2), 1u);
    EXPECT_EQ(parts_->workers.responses_owed(0), 0u);
    parts_->workers.name(2, "worker 5");
    EXPECT_STREQ(parts_->workers.name_of(2), "worker 5");
    EXPECT_STREQ(parts_->workers.name_of(0), "a worker");
}

}  // namespace
}  // namespace sluice
