#include "php/worker/pending_questions.h"

#include <cstring>

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

namespace {

void append_names(const PendingQuestion& pending, std::string_view names) {
    while (names.size() >= 2) {
        const auto match = static_cast<TopicMatch>(names[0]);
        const size_t size = static_cast<unsigned char>(names[1]);
        if (names.size() - 2 < size) return;
        if (match == pending.match) add_next_index_stringl(pending.list, names.data() + 2, size);
        names.remove_prefix(2 + size);
    }
}

void append_ids(const PendingQuestion& pending, std::string_view ids) {
    for (; ids.size() >= sizeof(ConnectionId); ids.remove_prefix(sizeof(ConnectionId))) {
        ConnectionId id;
        memcpy(&id, ids.data(), sizeof id);
        add_next_index_long(pending.list, static_cast<zend_long>(id));
    }
}

}  // namespace

uint32_t PendingQuestions::add(PendingQuestion& pending) {
    if (++last_number_ == 0) ++last_number_;
    by_number_[last_number_] = &pending;
    return last_number_;
}

void PendingQuestions::answer(const inbound::Answer& answer, std::string_view payload) {
    const auto found = by_number_.find(answer.question);
    if (found == by_number_.end()) return;
    PendingQuestion& pending = *found->second;
    if (pending.about == PendingQuestion::About::kSubscribers && payload.size() == sizeof pending.count) {
        uint64_t count;
        memcpy(&count, payload.data(), sizeof count);
        pending.count += count;
    } else if (pending.about == PendingQuestion::About::kSubscriberIds) {
        append_ids(pending, payload);
    } else if (pending.about == PendingQuestion::About::kTopics) {
        append_names(pending, payload);
    } else if (pending.about == PendingQuestion::About::kAttach && payload.size() == 1) {
        pending.attached = static_cast<AttachAnswer>(payload.front());
    }
    if (answer.more_follow || pending.left == 0) return;
    if (--pending.left == 0) scheduler()->wake(*pending.coroutine);
}

}  // namespace sluice::php
