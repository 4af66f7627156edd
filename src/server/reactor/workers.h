#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/seam/transport.h"

namespace sluice {

struct Connection;

/// The workers as one reactor knows them: the connections bound to each, delivery to them, the responses that
/// they owe, and requests to cancel.
class Workers {
  public:
    Workers(Transport& transport, size_t slots)
        : transport_(transport), owed_(slots), names_(slots, "a worker") {}

    /// See SessionHost.
    bool can_deliver(Connection& connection, size_t inline_bytes);
    void deliver(Connection& connection, int worker, Inbound& message, Room room);
    bool deliver_file(Connection& connection, int worker, Inbound& message, Ref<RequestFile> file);
    void cancel_request(const Connection& connection, int worker, uint32_t request, CancelReason reason);

    /// Binds the connection to another worker if its own takes no more messages; kNoWorker: there is none.
    int rebind(Connection& connection);
    void unbind(Connection& connection);

    void owe_response(int worker, int change) {
        owed_[static_cast<size_t>(worker)] += static_cast<uint32_t>(change);
    }
    uint32_t responses_owed(int worker) const { return owed_[static_cast<size_t>(worker)]; }

    /// Sets the name of a slot's worker in the log.
    void name(int worker, std::string name) { names_[static_cast<size_t>(worker)] = std::move(name); }
    const char* name_of(int worker) const { return names_[static_cast<size_t>(worker)].c_str(); }

    bool has_cancellations() const { return !cancellations_.empty(); }
    /// Sends as many cancellations as the workers' rings have room for.
    void send_cancellations();

    uint64_t messages_delivered() const { return messages_delivered_; }

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
    std::vector<uint32_t> owed_;
    std::vector<std::string> names_;
    std::vector<Cancellation> cancellations_;  ///< to be sent
    uint64_t messages_delivered_ = 0;
};

}  // namespace sluice
