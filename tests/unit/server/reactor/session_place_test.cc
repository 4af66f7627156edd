#include "server/reactor/session_place.h"

#include <gtest/gtest.h>

#include "server/reactor/connection.h"

namespace sluice {
namespace {

class Marked final : public Session {
  public:
    explicit Marked(int& destroyed) : destroyed_(destroyed) {}
    ~Marked() override { ++destroyed_; }
    Progress consume(SessionHost&, Connection&, std::span<char>&) override { return Progress::kMore; }
    void ended(SessionHost&, Connection&) override {}
    void command(SessionHost&, Connection&, int, const Command&, Ref<Payload>) override {}
    void deadline(SessionHost&, Connection&) override {}
    void close(SessionHost&, Connection&, uint16_t, std::string_view) override {}
    void stop(SessionHost&, Connection&) override {}
    void release(SessionHost&) override {}
    bool is_conversation() const override { return true; }

  private:
    int& destroyed_;
};

TEST(SessionPlaceTest, OneTakesTheOthersPlace) {
    int first = 0, second = 0;
    {
        SessionPlace place;
        EXPECT_FALSE(place->is_conversation());
        place.emplace<Marked>(first);
        EXPECT_TRUE(place->is_conversation());
        EXPECT_EQ(first, 0);
        place.emplace<Marked>(second);
        EXPECT_EQ(first, 1);
        EXPECT_EQ(second, 0);
    }
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 1);
}

TEST(SessionPlaceTest, ItStandsInItsConnection) {
    EXPECT_EQ(sizeof(SessionPlace), SessionPlace::kMostBytes);
    int destroyed = 0;
    Connection connection(1, UniqueFd(), 0);
    const auto* session = reinterpret_cast<const char*>(&connection.session.emplace<Marked>(destroyed));
    const auto* begin = reinterpret_cast<const char*>(&connection);
    EXPECT_GE(session, begin);
    EXPECT_LT(session, begin + sizeof connection);
}

TEST(SessionPlaceTest, WithoutAProtocolNothingIsTakenOrOwed) {
    SessionPlace place;
    EXPECT_EQ(place->window().size(), 0u);
    EXPECT_EQ(place->held_back_bytes(), 0u);
    EXPECT_EQ(place->subscriptions(), nullptr);
    EXPECT_EQ(place->awaited_response().worker, kNoWorker);
    EXPECT_EQ(place->most_idle_ms(), 0u);
    EXPECT_FALSE(place->receives_in_bulk());
}

}  // namespace
}  // namespace sluice
