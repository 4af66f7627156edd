#pragma once

#include <unordered_map>

#include "php/coroutine/coroutine.h"
#include "server/seam/messages.h"
#include "server/reactor/topics.h"

namespace sluice::php {

struct Worker;

/// One question to reactors. Stands on the stack of the coroutine that waits for the answers.
struct Asking {
    Question question;
    Topics::Match match = Topics::Match::kExact;  ///< kTopics: which ones are wanted
    zval* names = nullptr;                        ///< kTopics: an array, where they go
    uint64_t count = 0;                           ///< kSubscribers: so far
    Coroutine* coroutine = nullptr;
    unsigned left = 0;  ///< reactors that have not answered yet
};

/// Those that wait, by the number of their question.
class Asked {
  public:
    uint32_t add(Asking& asking);
    void remove(uint32_t number) { by_number_.erase(number); }
    /// Takes a kAnswer; one that nobody waits for any more is ignored.
    void answer(const Inbound& message);

  private:
    std::unordered_map<uint32_t, Asking*> by_number_;
    uint32_t last_number_ = 0;
};

// Each of these suspends, and throws a ServerException where that cannot be.

/// Connections that have subscribed to a topic or to a prefix of it. False when it has thrown.
bool ask_subscribers(Worker& worker, std::string_view topic, double timeout_seconds, uint64_t& count);
/// Appends to the array `names` what a connection has subscribed to. False when it has thrown.
bool ask_topics(Worker& worker, ConnectionId id, Topics::Match match, double timeout_seconds, zval* names);

/// Waits until no more than `most_bytes` are queued for a connection, or it has ended, or `due_ms` has come.
Wake wait_for_room(Worker& worker, Coroutine& self, ConnectionId id, uint64_t most_bytes, uint64_t due_ms);

}  // namespace sluice::php
