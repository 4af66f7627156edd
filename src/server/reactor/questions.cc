#include "server/reactor/questions.h"

#include <algorithm>

#include "server/reactor/connection.h"
#include "server/seam/transport.h"

namespace sluice {

void Questions::answer(int worker, uint32_t number, std::string_view payload, bool more_follow) {
    if (answers_.size() >= kMostAnswers || answer_bytes_ + payload.size() > kMostAnswerBytes) return;
    answer_bytes_ += payload.size();
    answers_.push_back({worker, number, more_follow, std::string(payload)});
}

void Questions::send_answers(Transport& transport) {
    std::vector<int> full;  // workers with a full ring: their later answers must not overtake
    std::erase_if(answers_, [&](const Answer& answer) {
        if (std::find(full.begin(), full.end(), answer.worker) != full.end()) return false;
        const Inbound message{.what = inbound::Answer{answer.number, answer.more_follow},
                              .payload = answer.payload};
        if (!transport.notify(answer.worker, message)) {
            full.push_back(answer.worker);
            return false;
        }
        answer_bytes_ -= answer.payload.size();
        return true;
    });
}

void Questions::await_room(ConnectionId id, const Room& room) {
    if (waiting_ >= kMostWaiting) return;
    rooms_[id].push_back(room);
    ++waiting_;
}

bool Questions::answer_about_room(ConnectionId id, size_t queued_bytes) {
    const auto found = rooms_.find(id);
    if (found == rooms_.end()) return false;
    waiting_ -= std::erase_if(found->second, [&](const Room& room) {
        if (queued_bytes > room.most_bytes) return false;
        answer(room.worker, room.number, {});
        return true;
    });
    if (!found->second.empty()) return true;
    rooms_.erase(found);
    return false;
}

void Questions::answer_about_room(Connection& connection) {
    if (!connection.awaited) return;
    const size_t queued = connection.phase == Phase::kOpen ? connection.queued_bytes() : 0;
    connection.awaited = answer_about_room(connection.id, queued);
}

void Questions::worker_gone(int worker) {
    std::erase_if(answers_, [&](const Answer& answer) {
        if (answer.worker != worker) return false;
        answer_bytes_ -= answer.payload.size();
        return true;
    });
    for (auto place = rooms_.begin(); place != rooms_.end();) {
        waiting_ -= std::erase_if(place->second, [&](const Room& room) { return room.worker == worker; });
        place = place->second.empty() ? rooms_.erase(place) : std::next(place);
    }
}

}  // namespace sluice
