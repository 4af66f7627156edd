#include "server/reactor/poll_token.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Kind = PollToken::Kind;

TEST(PollTokenTest, AnIdStandsForItsConnection) {
    for (ConnectionId id :
         {ConnectionId{1}, make_connection_id(0, 77), make_connection_id(kMaxReactors - 1, ~0ull)}) {
        const PollToken token(id);
        EXPECT_EQ(token.kind(), Kind::kConnection);
        EXPECT_EQ(token.connection(), id);
    }
}

TEST(PollTokenTest, OtherKindsHaveANumber) {
    for (Kind kind : {Kind::kDoorbell, Kind::kWatched, Kind::kListener, Kind::kUdp, Kind::kBodyWriter,
                      Kind::kDescriptor}) {
        for (uint64_t number : {0ull, 1ull, 0x7fff'ffffull}) {
            const PollToken token(PollToken(kind, number).bits());
            EXPECT_EQ(token.kind(), kind);
            EXPECT_EQ(token.number(), number);
        }
    }
}

}  // namespace
}  // namespace sluice
