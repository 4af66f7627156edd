#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/seam/transport.h"

namespace sluice {

class Admission;
class ServeList;
struct Connection;

/// The workers as one reactor knows them: the connections bound to each, delivery to them, the responses that
/// are awaited of them, and requests to cancel.
class Workers {
  public:
    /// `places`: of each worker; see places_of_worker().
    Workers(Transport& transport, ServeList& serve_list, Admission& admission, size_t slots, size_t places);

    /// See SessionHost. A connection that has many messages in flight is throttled until some have ended:
    /// while the handler of one waits, those behind it would take the worker's places, and its memory.
    bool can_deliver(Connection& connection, size_t inline_bytes);
    /// A message of the connection has ended.
    void ended_one(Connection& connection);
    /// Lets a throttled connection go on.
    void let_go(Connection& connection);
    /// Call it before sleeping: workers of throttled connections ring when they have begun some messages.
    void await_progress();
    void deliver(Connection& connection, int worker, Inbound& message, Room room);
    bool deliver_file(Connection& connection, int worker, Inbound& message, Ref<RequestFile> file);
    void cancel_request(const Connection& connection, int worker, uint32_t request, CancelReason reason);

    /// Binds the connection to another worker if its own takes no more messages; kNoWorker: there is none.
    int rebind(Connection& connection);
    void unbind(Connection& connection);

    void await_response(int worker, int change) {
        awaited_[static_cast<size_t>(worker)] += static_cast<uint32_t>(change);
    }
    uint32_t responses_awaited(int worker) const { return awaited_[static_cast<size_t>(worker)]; }

    /// Sets the name of a slot's worker in the log.
    void name(int worker, std::string name) { names_[static_cast<size_t>(worker)] = std::move(name); }
    const char* name_of(int worker) const { return names_[static_cast<size_t>(worker)].c_str(); }

    bool has_cancellations() const { return !cancellations_.empty(); }
    /// Sends as many cancellations as the workers' rings have room for.
    void send_cancellations();

    uint64_t messages_delivered() const { return messages_delivered_; }
    uint32_t most_of_connection() const { return most_of_connection_; }

  private:
    struct Cancellation {
        int worker;
        ConnectionId connection;
        uint16_t endpoint;
        uint32_t request;
        CancelReason reason;
    };
    static void stamp(const Connection& connection, Inbound& message);
    void bind(Connection& connection, int worker);

    Transport& transport_;
    ServeList& serve_list_;
    Admission& admission_;
    uint32_t most_of_connection_;      ///< messages in flight
    std::vector<uint32_t> throttled_;  ///< by worker: its throttled connections
    size_t all_throttled_ = 0;
    std::vector<uint32_t> awaited_;
    std::vector<std::string> names_;
    std::vector<Cancellation> cancellations_;  ///< to be sent
    uint64_t messages_delivered_ = 0;
};

}  // namespace sluice
