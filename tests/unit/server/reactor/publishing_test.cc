#include "server/reactor/publishing.h"

#include "parts_driver.h"
#include "server/reactor/shared_message.h"

namespace sluice {
namespace {

class PublishingTest : public test::PartsTest {
  protected:
    void subscribe(Connection& connection, std::string_view topic) {
        parts_->publishing.subscribe(connection, {topic});
    }
    void publish(std::string_view topic, ConnectionId except = kNoConnection) {
        parts_->publishing.frame_and_publish({topic, except}, "news");
    }
};

TEST_F(PublishingTest, SubscribersGetItButTheOneThatIsLeftOut) {
    start();
    Connection &one = connect(), &other = connect();
    connect();
    subscribe(one, "room");
    subscribe(other, "room");
    EXPECT_EQ(layout_.connection(one.id).subscriptions.load(), 1u);
    publish("room");
    EXPECT_EQ(script_.calls, "shared shared ");
    script_.calls.clear();
    publish("room", one.id);
    EXPECT_EQ(script_.calls, "shared ");
    script_.calls.clear();
    parts_->publishing.unsubscribe(one, {"room"});
    publish("room", other.id);
    publish("elsewhere");
    EXPECT_EQ(script_.calls, "");
    EXPECT_EQ(layout_.connection(one.id).subscriptions.load(), 0u);
}

TEST_F(PublishingTest, OneConnectionHasSoManySubscriptions) {
    listener_.limits.websocket.subscriptions = 2;
    start();
    Connection& connection = connect();
    subscribe(connection, "a");
    subscribe(connection, "b");
    subscribe(connection, "c");
    subscribe(connection, std::string(kMaxTopicBytes + 1, 'x'));
    EXPECT_EQ(layout_.connection(connection.id).subscriptions.load(), 2u);
    publish("c");
    EXPECT_EQ(script_.calls, "");
}

TEST_F(PublishingTest, WhoDoesNotKeepUpIsClosedAfterwards) {
    start();
    Connection &slow = connect(), &other = connect();
    subscribe(slow, "room");
    subscribe(other, "room");
    script_.held_back = 1;
    publish("room");
    EXPECT_EQ(script_.calls, "shared shared close(1013) close(1013) ");
    ASSERT_TRUE(slow.close_cause);
    EXPECT_EQ(slow.close_cause->code, 1013);
    script_.calls.clear();
    parts_->publishing.close_too_slow();
    EXPECT_EQ(script_.calls, "");
}

TEST_F(PublishingTest, ManyAreNamedByTheirIds) {
    start();
    Connection &one = connect(), &other = connect();
    const ConnectionId ids[] = {one.id, one.id + 64, other.id};
    parts_->publishing.send_many({ids}, "news");
    EXPECT_EQ(script_.calls, "shared shared ");
    EXPECT_EQ(layout_.connection(one.id).handled_bytes.load(), 4u);
}

TEST_F(PublishingTest, SubscriptionsTakeSoMuchMemoryAndWhoGetsNoMoreIsTold) {
    limits_.subscription_bytes = 1000;
    start();
    Connection &one = connect(), &other = connect();
    const auto told = [this](const Connection& connection) {
        return layout_.connection(connection.id).subscriptions.load();
    };
    subscribe(one, "a");
    EXPECT_EQ(told(one), 1u);
    for (const char topic : std::string("bcdefgh"))
        subscribe(one, {&topic, 1});
    const size_t had = one.session->subscriptions()->all.size();
    EXPECT_LT(had, 8u);
    EXPECT_EQ(told(one), UINT16_MAX);
    EXPECT_EQ(told(other), 0u);
    subscribe(other, std::string(kMaxTopicBytes, 'x'));
    EXPECT_TRUE(other.session->subscriptions()->all.empty());
    EXPECT_EQ(told(other), UINT16_MAX);
    parts_->publishing.unsubscribe(one, {"a"});
    EXPECT_EQ(told(one), had - 1);
    EXPECT_EQ(told(other), 0u);
    parts_->publishing.unsubscribe_all(*one.session->subscriptions());
    EXPECT_EQ(parts_->publishing.topics().budget().used(), 0u);
}

}  // namespace
}  // namespace sluice
