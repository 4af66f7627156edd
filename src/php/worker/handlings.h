#pragma once

#include <unordered_map>

#include "php/coroutine/coroutine.h"
#include "server/seam/messages.h"

namespace sluice::php {

/// One message in its handler's hands. Stands on the stack of the coroutine that runs the handler.
struct Handling {
    Inbound message;
    zend_object* response = nullptr;                   ///< of a request, while its handler runs
    void (*abandon)(zend_object* response) = nullptr;  ///< the server has answered in the handler's place
    Coroutine* coroutine = nullptr;                    ///< nullptr without coroutines
    bool waited = false;                               ///< dispatch() has returned without it
    bool cancelled = false;
    unsigned periods =
        0;  ///< for OverdueHandlers: so often it was seen to hold up others where it stood before
};

/// Messages whose handlers wait: one at most of an ordered connection, one for each request of HTTP.
class Handlings {
  public:
    void add(Handling& handling) { by_connection_.emplace(handling.message.connection, &handling); }
    void remove(const Handling& handling);
    bool empty() const { return by_connection_.empty(); }
    template <typename F>
    void for_each(F&& f) {
        for (const auto& [connection, handling] : by_connection_)
            if (handling->coroutine) f(*handling);
    }
    /// Cancels the handler of a request, when it still waits.
    void cancel(ConnectionId connection, const inbound::Cancellation& cancellation);

    /// Whether the handler of a request waits.
    bool has(ConnectionId connection, uint32_t request) const { return find(connection, request) != nullptr; }

  private:
    Handling* find(ConnectionId connection, uint32_t request) const;

    std::unordered_multimap<ConnectionId, Handling*> by_connection_;
};

}  // namespace sluice::php
