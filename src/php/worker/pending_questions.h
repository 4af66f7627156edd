#pragma once

#include <unordered_map>

#include "php/coroutine/coroutine.h"
#include "server/seam/messages.h"
#include "server/seam/topic.h"

namespace sluice::php {

/// One question to reactors. Stands on the stack of the coroutine that waits for the answers.
struct PendingQuestion {
    enum class About : uint8_t { kSubscribers, kSubscriberIds, kTopics, kRoom, kAttach };
    About about;
    TopicMatch match = TopicMatch::kExact;          ///< kTopics: which ones are wanted
    zval* list = nullptr;                           ///< kTopics, kSubscriberIds: an array, where they go
    uint64_t count = 0;                             ///< kSubscribers: so far
    AttachAnswer attached = AttachAnswer::kClosed;  ///< kAttach
    Coroutine* coroutine = nullptr;
    unsigned left = 0;  ///< reactors that have not answered yet
};

/// Those that wait, by the number of their question.
class PendingQuestions {
  public:
    uint32_t add(PendingQuestion& pending);
    void remove(uint32_t number) { by_number_.erase(number); }
    /// Takes an answer; ignores one that is not awaited any more.
    void answer(const inbound::Answer& answer, std::string_view payload);

  private:
    std::unordered_map<uint32_t, PendingQuestion*> by_number_;
    uint32_t last_number_ = 0;
};

}  // namespace sluice::php
