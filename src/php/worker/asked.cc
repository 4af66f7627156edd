#include "php/worker/asked.h"

#include <cstring>

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

namespace {

void append_names(const Asking& asking, std::string_view names) {
    while (names.size() >= 2) {
        const auto match = static_cast<TopicMatch>(names[0]);
        const size_t size = static_cast<unsigned char>(names[1]);
        if (names.size() - 2 < size) return;
        if (match == asking.match) add_next_index_stringl(asking.names, names.data() + 2, size);
        names.remove_prefix(2 + size);
    }
}

}  // namespace

uint32_t Asked::add(Asking& asking) {
    by_number_[++last_number_] = &asking;
    return last_number_;
}

void Asked::answer(const Inbound& message) {
    const auto found = by_number_.find(message.request);
    if (found == by_number_.end()) return;
    Asking& asking = *found->second;
    if (asking.question == Question::kSubscribers && message.payload.size() == sizeof asking.count) {
        uint64_t count;
        memcpy(&count, message.payload.data(), sizeof count);
        asking.count += count;
    } else if (asking.question == Question::kTopics) {
        append_names(asking, message.payload);
    }
    if (message.binary || asking.left == 0) return;
    if (--asking.left == 0) scheduler()->wake(*asking.coroutine);
}

}  // namespace sluice::php
