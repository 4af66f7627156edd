#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ref.h"
#include "server/reactor/topics.h"
#include "server/seam/connection_id.h"

namespace sluice {

class ConnectionTable;
class SessionHost;
class SharedMessage;
struct Commons;
namespace command {
struct Publish;
struct SendMany;
struct Subscribe;
struct Unsubscribe;
}  // namespace command

/// Messages for many connections: subscriptions, and clients that do not keep
/// up.
class Publishing {
  public:
    /// `most_bytes`: memory of all subscriptions.
    Publishing(const Commons& commons, SessionHost& host, const ConnectionTable& table, uint64_t most_bytes)
        : commons_(commons), host_(host), table_(table), topics_(most_bytes) {}

    /// Returns the message for the other reactors.
    Ref<SharedMessage> frame_and_publish(const command::Publish& publication, std::string_view message);
    /// Sends to all subscribers of this reactor except `except`.
    void publish(std::string_view topic, SharedMessage& message, ConnectionId except);
    /// Sends to all connections that the command names.
    void send_many(const command::SendMany& many, std::string_view message);

    void subscribe(Connection& connection, const command::Subscribe& wish);
    void unsubscribe(Connection& connection, const command::Unsubscribe& wish);
    void unsubscribe_all(Topics::Subscriptions& subscriptions);
    Topics& topics() { return topics_; }

    /// Closes a slow client (SlowClient::kClose) once no iteration over subscribers is under way.
    void close_soon(const Connection& connection);
    void close_too_slow();

  private:
    uint32_t most_of(const Connection& connection) const;
    void refuse(const Connection& connection, size_t own);
    void tell_of_room();

    const Commons& commons_;
    SessionHost& host_;
    const ConnectionTable& table_;
    Topics topics_;
    std::vector<ConnectionId> too_slow_;
    std::vector<ConnectionId> without_room_;  ///< connections refused a subscription: no memory
    uint64_t refused_subscriptions_ = 0;
};

}  // namespace sluice
