#include "server/reactor/output.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class OutputTest : public test::PartsTest {
  protected:
    void queue(Connection& connection, std::string_view bytes) {
        connection.out.append(bytes);
        parts_->output.wants_flush(connection);
    }
};

TEST_F(OutputTest, WhatIsQueuedInATurnGoesAtItsEnd) {
    start();
    Connection& connection = connect();
    EXPECT_FALSE(parts_->output.has_work());
    queue(connection, "one ");
    queue(connection, "two");
    EXPECT_TRUE(parts_->output.has_work());
    EXPECT_EQ(heard(), "");
    parts_->output.flush();
    EXPECT_EQ(heard(), "one two");
    EXPECT_EQ(script_.calls, "sent ");
    EXPECT_EQ(parts_->output.bytes_sent(), 7u);
    EXPECT_FALSE(parts_->output.has_work());
}

TEST_F(OutputTest, AClientThatDoesNotReadHasADeadlineThatMovesWithWhatItTakes) {
    start();
    Connection& connection = connect();
    queue(connection, std::string(4u << 20, 'x'));
    parts_->output.flush();
    EXPECT_FALSE(connection.writable);
    EXPECT_EQ(connection.write_deadline_ms, now() + limits_.sending.write_ms);
    EXPECT_EQ(layout_.connection(connection.id).queued_bytes.load(), connection.out.bytes());
    EXPECT_EQ(script_.calls, "");
    size_t got = 0;
    for (int i = 0; i < 1000 && !connection.out.empty(); ++i) {
        for (std::string bytes = heard(); !bytes.empty(); bytes = heard())
            got += bytes.size();
        connection.writable = true;
        parts_->output.wants_flush(connection);
        parts_->output.flush();
    }
    EXPECT_TRUE(connection.out.empty());
    EXPECT_EQ(connection.write_deadline_ms, 0u);
    EXPECT_EQ(script_.calls, "sent ");
    EXPECT_EQ(layout_.connection(connection.id).queued_bytes.load(), 0u);
}

TEST_F(OutputTest, WhoWaitsForRoomIsAnsweredWhenThereIsSome) {
    start();
    Connection& connection = connect();
    queue(connection, "0123456789");
    parts_->questions.await_room(connection.id, {0, 5, 4});
    connection.awaited = true;
    parts_->questions.answer_about_room(connection);
    EXPECT_FALSE(parts_->questions.has_answers());
    parts_->output.flush();
    EXPECT_TRUE(parts_->questions.has_answers());
    EXPECT_FALSE(connection.awaited);
}

TEST_F(OutputTest, ABrokenConnectionIsClosed) {
    start();
    Connection& connection = connect();
    client_.reset();
    queue(connection, "to nobody");
    parts_->output.flush();
    EXPECT_EQ(connection.phase, Phase::kGone);
}

TEST_F(OutputTest, WhoHasShutDownIsNotWrittenTo) {
    start();
    Connection& connection = connect();
    parts_->life.finish(connection);
    parts_->output.flush();
    ASSERT_EQ(connection.phase, Phase::kLingering);
    parts_->output.wants_flush(connection);
    EXPECT_FALSE(parts_->output.has_work());
}

}  // namespace
}  // namespace sluice
