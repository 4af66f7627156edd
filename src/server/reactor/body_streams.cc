#include "server/reactor/body_streams.h"

#include "server/reactor/poll_token.h"

namespace sluice {

void BodyStreams::end(uint64_t client, int writer) {
    streams_.give_back(client);
    awaited_.erase(writer);
}

void BodyStreams::await(int writer, short events, ConnectionId connection) {
    awaited_[writer] = connection;
    const PollToken token(PollToken::Kind::kBodyWriter, static_cast<uint64_t>(writer));
    poller_.watch_once(writer, static_cast<uint32_t>(events), token.bits());
}

ConnectionId BodyStreams::ready(int writer) {
    const auto place = awaited_.find(writer);
    if (place == awaited_.end()) return kNoConnection;
    const ConnectionId connection = place->second;
    awaited_.erase(place);
    return connection;
}

}  // namespace sluice
