// Commands on their way to the reactor, whose ring may be full.
#include "ring_port_driver.h"

namespace sluice::test {
namespace {

TEST_F(RingPorts, AFullWayIsSaidAtOnceAndWhatMustNotBeLostIsKept) {
    layout_.connection(1).id.store(1);
    const std::string body(1000, 'x');
    Command send{.connection = 1, .payload = body};
    size_t count = 0;
    for (const size_t bytes : {body.size(), size_t{0}}) {  // at last nothing fits any more, however short
        send.payload = std::string_view(body).substr(0, bytes);
        for (;; ++count) {
            Reach reach;
            const Submitted submitted = port().submit(send, reach);
            if (submitted == Submitted::kNoRoom) break;
            ASSERT_NE(submitted, Submitted::kDropped);
            EXPECT_EQ(reach.count, 1u);
        }
    }
    const Command close{.what = command::Close{1000}, .connection = 1, .payload = "the last"};
    EXPECT_EQ(port().submit_surely(close), Submitted::kQueued);
    EXPECT_TRUE(port().has_kept());
    port().wait(0);
    poll();
    EXPECT_EQ(events_.said.size(), count);
    port().wait(0);
    EXPECT_FALSE(port().has_kept());
    poll();
    ASSERT_EQ(events_.said.size(), count + 1);
    EXPECT_EQ(events_.said.back(), "the last");
    Reach reach;
    EXPECT_EQ(port().submit(send, reach), Submitted::kQueued) << "the ring has room again";
    layout_.connection(1).id.store(0);
    EXPECT_EQ(port().submit(send, reach), Submitted::kClosed);
    EXPECT_EQ(port().submit_surely(close), Submitted::kClosed);
}

TEST_F(RingPorts, AQuestionToAllIsTriedAgainUntilAllHaveIt) {
    layout_.connection(1).id.store(1);
    const std::string body(1000, 'x');
    const Command send{.connection = 1, .payload = body};
    Reach reach;
    while (port().submit(send, reach) != Submitted::kNoRoom) {
    }
    const Command question{.what = command::CountSubscribers{1, "a topic"}};
    Reach asked;
    // A question is smaller than the message, so the ring may still have room for some.
    while (port().submit(question, asked) != Submitted::kNoRoom)
        asked = {};
    EXPECT_EQ(asked.count, 0u);
    port().flush();
    poll();
    EXPECT_EQ(port().submit(question, asked), Submitted::kSent);
    EXPECT_EQ(asked.count, 1u);
}

TEST_F(RingPorts, WhatWasCountedForAConnectionComesThoughTheWorkerDies) {
    const ConnectionId id = make_connection_id(0, 1);
    layout_.connection(id).id.store(id);
    Command command;
    command.connection = id;
    command.what = command::Send{};
    command.payload = "not sent yet";
    for (int i = 0; i < 3; ++i) {
        Reach reach;
        ASSERT_NE(port().submit(command, reach), Submitted::kNoRoom);
    }
    poll();
    EXPECT_EQ(events_.said.size(), 0u);
    EXPECT_EQ(layout_.connection(id).submitted_bytes.load(), 3 * command.payload.size());
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.said.size(), 3u) << "or the connection would seem to have them queued for ever";
}

TEST_F(RingPorts, WhatIsKeptForWantOfRoomIsCountedWhenItGoes) {
    const ConnectionId id = make_connection_id(0, 1);
    layout_.connection(id).id.store(id);
    Command command;
    command.connection = id;
    command.what = command::Send{};
    const std::string payload(1000, 'x');
    command.payload = payload;
    size_t sent = 0;
    for (Reach reach; port().submit(command, reach) != Submitted::kNoRoom; reach = {})
        ++sent;
    EXPECT_NE(port().submit_surely(command), Submitted::kDropped);
    EXPECT_TRUE(port().has_kept());
    EXPECT_EQ(layout_.connection(id).submitted_bytes.load(), sent * payload.size());
    port().flush();
    poll();
    port().wait(0);
    poll();
    EXPECT_FALSE(port().has_kept());
    EXPECT_EQ(events_.said.size(), sent + 1);
    EXPECT_EQ(layout_.connection(id).submitted_bytes.load(), (sent + 1) * payload.size());
}

TEST_F(RingPorts, WhatAClientMayHaveWaitingIsForeseen) {
    ConnectionCell& cell = layout_.connection(1);
    cell.id.store(1);
    ReactorCell& reactor = layout_.reactor(0);
    const uint64_t most = Limits{}.queued_total_bytes;
    reactor.share_bytes.store(1000);
    Command command;
    command.what = command::Send{};
    command.connection = 1;
    const std::string payload(10, 'x');
    command.payload = payload;
    const auto send = [&](uint32_t queued, uint64_t all) {
        cell.queued_bytes.store(queued);
        cell.submitted_bytes.store(0);
        reactor.out_bytes.store(all);
        Reach reach;
        return port().submit(command, reach);
    };
    EXPECT_EQ(send(1001, most / 2), Submitted::kQueued);
    EXPECT_EQ(send(1001, most / 2 + 1), Submitted::kDropped) << "others need the other half";
    EXPECT_EQ(send(1000, most / 2 + 1), Submitted::kQueued) << "within its address's part";
    EXPECT_EQ(send(1000, most), Submitted::kQueued);
    EXPECT_EQ(send(1000, most + 1), Submitted::kDropped) << "the reserve is for who has taken everything";
    EXPECT_EQ(send(0, most + 1), Submitted::kSent);
    cell.over_share.store(true);
    EXPECT_EQ(send(1, most / 2 + 1), Submitted::kDropped);
    EXPECT_EQ(send(1, most / 2), Submitted::kQueued);
}

}  // namespace
}  // namespace sluice::test
