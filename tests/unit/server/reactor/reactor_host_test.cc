#include "server/reactor/reactor_host.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class ReactorHostTest : public test::PartsTest {};

TEST_F(ReactorHostTest, WishesReachTheirOwners) {
    start();
    SessionHost& host = parts_->host;
    Connection& connection = connect();
    host.set_deadline(connection, 100);
    EXPECT_EQ(connection.deadline_ms, now() + 100);
    host.set_deadline(connection, 0);
    EXPECT_EQ(connection.deadline_ms, 0u);
    connection.blocked = true;
    host.resume(connection);
    EXPECT_FALSE(connection.blocked);
    EXPECT_TRUE(parts_->serve_list.has_scheduled());
    host.await_response(1, +1);
    EXPECT_EQ(parts_->workers.responses_awaited(1), 1u);
    host.wants_flush(connection);
    EXPECT_TRUE(parts_->output.has_work());
    host.finish(connection);
    EXPECT_EQ(connection.phase, Phase::kFinishing);
    host.abort(connection);
    EXPECT_EQ(connection.phase, Phase::kGone);
}

TEST_F(ReactorHostTest, StreamsComeFromWhereTheirConnectionDoes) {
    limits_.connections = 1;
    start();
    Connection& parent = connect();
    Connection* stream = parts_->host.open_stream(parent);
    ASSERT_TRUE(stream);
    EXPECT_EQ(parts_->commons.cells.peer(stream->id).to_string(), "192.0.2.1:1000");
    EXPECT_FALSE(parts_->host.open_stream(parent)) << "there are as many streams as connections are allowed";
}

}  // namespace
}  // namespace sluice
