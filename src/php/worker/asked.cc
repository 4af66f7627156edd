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

void Asked::answer(const inbound::Answer& answer, std::string_view payload) {
    const auto found = by_number_.find(answer.question);
    if (found == by_number_.end()) return;
    Asking& asking = *found->second;
    if (asking.about == Asking::About::kSubscribers && payload.size() == sizeof asking.count) {
        uint64_t count;
        memcpy(&count, payload.data(), sizeof count);
        asking.count += count;
    } else if (asking.about == Asking::About::kTopics) {
        append_names(asking, payload);
    } else if (asking.about == Asking::About::kAttach && payload.size() == 1) {
        asking.attached = static_cast<AttachAnswer>(payload.front());
    }
    if (answer.more_follow || asking.left == 0) return;
    if (--asking.left == 0) scheduler()->wake(*asking.coroutine);
}

}  // namespace sluice::php
