#include "server/reactor/input.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class InputTest : public test::PartsTest {
  protected:
    void serve(Connection& connection) { parts_->input.serve(connection); }
};

TEST_F(InputTest, WhatHasComeGoesToTheSession) {
    start();
    Connection& connection = connect();
    say("hello");
    serve(connection);
    EXPECT_EQ(script_.input, "hello");
    EXPECT_EQ(parts_->input.bytes_received(), 5u);
    EXPECT_FALSE(connection.readable) << "after a short read the socket is empty";
    EXPECT_EQ(connection.active_ms, now());
}

TEST_F(InputTest, WhatTheSessionLeavesComesAgain) {
    start();
    Connection& connection = connect();
    script_.takes_input = false;
    script_.progress = Progress::kWait;
    say("hello");
    serve(connection);
    EXPECT_TRUE(connection.waiting);
    ASSERT_TRUE(connection.pending);
    say(" again");
    connection.readable = true;
    serve(connection);
    EXPECT_EQ(connection.pending->bytes, "hello") << "nothing is read while the session takes no input";
    script_.takes_input = true;
    script_.progress = Progress::kMore;
    parts_->admission.serve_waiting(1, [&](Connection& it) { parts_->input.serve(it); });
    EXPECT_EQ(script_.input, "hello again");
    EXPECT_FALSE(connection.pending);
}

TEST_F(InputTest, WhoTakesLittleOfMuchHasTheRestNotMoved) {
    PendingInput pending(std::string(100, 'x') + "end");
    const char* const place = pending.bytes.data();
    ASSERT_TRUE(pending.keep(pending.rest().subspan(10)));
    ASSERT_TRUE(pending.keep(pending.rest().subspan(20)));
    EXPECT_EQ(pending.rest().data(), place + 30);
    EXPECT_EQ(pending.size(), 73u);
    EXPECT_FALSE(pending.keep(pending.rest().last(3))) << "too little for so much memory";
}

TEST_F(InputTest, LittleIsKeptOfManyAndOfClientsThatDoNotWaitForTheirAnswers) {
    SharedLayout::Shape shape = layout_.shape();
    shape.cells = 2 * Admission::kManyWaiting;
    layout_ = SharedLayout::create(shape);
    start();
    script_.takes_input = script_.conversation = false;
    script_.progress = Progress::kBlocked;
    const auto kept_of = [&](Connection& connection) {
        say(std::string(65536, 'x'));
        serve(connection);
        EXPECT_TRUE(connection.readable) << "the rest is read later";
        return connection.pending ? connection.pending->size() : 0;
    };
    EXPECT_EQ(kept_of(connect()), 65536u);
    Connection& ahead = connect();
    ahead.is_backlogged = true;
    EXPECT_EQ(kept_of(ahead), 4096u);
    Connection& one_of_many = connect();
    for (size_t i = 0; i <= Admission::kManyWaiting; ++i)
        parts_->admission.wait(
            parts_->table.add({}, 0, *Address::parse("192.0.2.1:1000"), SlowClient::kDropNewest, now()));
    EXPECT_EQ(kept_of(one_of_many), 4096u);
}

TEST_F(InputTest, WhoSendsMuchAtOnceIsReadLittleByLittle) {
    start();
    Connection& connection = connect();
    UniqueFd its_client = std::move(client_);
    // Sends more than is read at once, and tells how much of that is read.
    const auto read_of = [&](size_t frames) {
        script_.frames = frames;
        script_.input.clear();
        const std::string much(100'000, 'x');
        ::send(its_client.get(), much.data(), much.size(), MSG_NOSIGNAL);
        connection.readable = true;
        serve(connection);
        const size_t read = script_.input.size();
        EXPECT_EQ(connection.readable, read < much.size());
        EXPECT_EQ(connection.scheduled, read < much.size()) << "the rest is read later";
        char rest[100'000];
        while (recv(connection.fd.get(), rest, sizeof rest, MSG_DONTWAIT) > 0)
            continue;
        connection.scheduled = false;
        return read;
    };
    EXPECT_EQ(read_of(ServeList::kMuchAtOnce + 1), 100'000u) << "nothing was known of it";
    EXPECT_EQ(read_of(ServeList::kMuchAtOnce + 1), 65'536u);
    Connection& another = connect();
    another.at_once = UINT8_MAX;
    parts_->serve_list.schedule(another);
    connection.at_once = UINT8_MAX;
    EXPECT_EQ(read_of(1), 16'384u) << "another one has to have its turn";
    EXPECT_EQ(connection.at_once, 128u) << "half of what was, and what has come";
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(ServeList::sends_much(connection));
        EXPECT_EQ(read_of(0), 16'384u);
    }
    EXPECT_FALSE(ServeList::sends_much(connection));
    EXPECT_EQ(read_of(0), 100'000u);
}

TEST_F(InputTest, LargeFramesAreNotMany) {
    start();
    Connection& connection = connect();
    connection.count_frames(100, 100 * Connection::kSmallFrameBytes);
    EXPECT_EQ(connection.at_once, 0u);
    connection.count_frames(100, 100 * Connection::kSmallFrameBytes - 1);
    EXPECT_EQ(connection.at_once, 100u);
    connection.count_frames(1000, 0);
    EXPECT_EQ(connection.at_once, 255u);
}

TEST_F(InputTest, WhatWaitsForMemoryIsStoppedOnceTheServerDrains) {
    start();
    Connection& connection = connect();
    script_.takes_input = script_.conversation = false;
    script_.progress = Progress::kWait;
    script_.calls.clear();
    transport_.short_of_memory = true;
    say("hello");
    serve(connection);
    const auto try_again = [&] {
        parts_->admission.serve_waiting(1, [&](Connection& it) { parts_->input.serve(it); });
    };
    try_again();
    EXPECT_EQ(script_.calls, "") << "memory may come free";
    parts_->commons.shutting_down = true;
    try_again();
    EXPECT_EQ(script_.calls, "stop ");
}

TEST_F(InputTest, TheEndOfASmallMessageComesWithManyOthers) {
    start();
    Connection& connection = connect();
    script_.window.resize(40);
    say(std::string(60'000, 'x'));
    serve(connection);
    EXPECT_TRUE(script_.window.empty());
    EXPECT_EQ(script_.input.size(), 60'000u - 40);
    EXPECT_FALSE(connection.readable) << "one read has brought all of them";
    EXPECT_EQ(script_.reads, 1u);
}

TEST_F(InputTest, TheEndOfABigMessageComesWithLittleElse) {
    start();
    Connection& connection = connect();
    script_.window.resize(40'000);
    say(std::string(60'000, 'x'));
    serve(connection);
    EXPECT_TRUE(script_.window.empty());
    EXPECT_EQ(script_.input.size(), 20'000u);
    EXPECT_EQ(script_.reads, 2u) << "the next message goes to its own room from its first bytes on";
}

TEST_F(InputTest, ABlockedSessionIsLeftAlone) {
    start();
    Connection& connection = connect();
    script_.progress = Progress::kBlocked;
    say("one");
    serve(connection);
    EXPECT_TRUE(connection.blocked);
    say("two");
    connection.readable = true;
    serve(connection);
    EXPECT_EQ(script_.input, "one");
    connection.hung_up = true;
    serve(connection);
    EXPECT_EQ(connection.phase, Phase::kGone);
}

TEST_F(InputTest, TheEndIsToldOnce) {
    start();
    Connection& connection = connect();
    say("last");
    connection.peer_shut = true;
    client_.reset();
    serve(connection);
    EXPECT_EQ(script_.input, "last");
    EXPECT_EQ(script_.calls, "ended ");
    EXPECT_TRUE(connection.read_ended);
    serve(connection);
    EXPECT_EQ(script_.calls, "ended ");
}

TEST_F(InputTest, WhatComesToAConnectionThatEndsIsThrownAway) {
    start();
    Connection& connection = connect();
    connection.out.append("x");
    parts_->life.finish(connection);
    say("too late");
    serve(connection);
    EXPECT_EQ(script_.input, "");
    EXPECT_EQ(connection.phase, Phase::kFinishing);
    EXPECT_FALSE(connection.readable);
}

}  // namespace
}  // namespace sluice
