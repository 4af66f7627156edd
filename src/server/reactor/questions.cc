#include "server/reactor/questions.h"

#include <algorithm>

#include "server/reactor/connection.h"
#include "server/seam/transport.h"

namespace sluice {

Questions::Asker& Questions::asker(int worker) {
    const auto index = static_cast<size_t>(worker);
    if (index >= askers_.size()) askers_.resize(index + 1);
    return askers_[index];
}

void Questions::answer(int worker, uint32_t number, std::string_view payload, bool more_follow) {
    Asker& to = asker(worker);
    // Without one part the rest would be taken for the whole.
    const bool is_lost = to.cut_off == number || to.answers.size() >= kMostAnswers ||
                         to.answer_bytes + payload.size() > kMostAnswerBytes;
    to.cut_off = is_lost && more_follow ? number : 0;
    if (is_lost) return;
    to.answer_bytes += payload.size();
    to.answers.push_back({number, more_follow, std::string(payload)});
    ++answers_;
}

void Questions::send_answers(Transport& transport) {
    for (size_t worker = 0; worker < askers_.size(); ++worker) {
        Asker& to = askers_[worker];
        while (!to.answers.empty()) {
            const Answer& answer = to.answers.front();
            const Inbound message{.what = inbound::Answer{answer.number, answer.more_follow},
                                  .payload = answer.payload};
            if (!transport.notify(static_cast<int>(worker), message)) break;
            to.answer_bytes -= answer.payload.size();
            to.answers.pop_front();
            --answers_;
        }
    }
}

void Questions::await_room(ConnectionId id, const Room& room) {
    if (asker(room.worker).waiting >= kMostWaiting) return;
    rooms_[id].push_back(room);
    ++asker(room.worker).waiting;
    ++waiting_;
}

bool Questions::answer_about_room(ConnectionId id, size_t queued_bytes) {
    const auto found = rooms_.find(id);
    if (found == rooms_.end()) return false;
    waiting_ -= std::erase_if(found->second, [&](const Room& room) {
        if (queued_bytes > room.most_bytes) return false;
        --asker(room.worker).waiting;
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
    answers_ -= asker(worker).answers.size();
    asker(worker) = {};
    for (auto place = rooms_.begin(); place != rooms_.end();) {
        waiting_ -= std::erase_if(place->second, [&](const Room& room) { return room.worker == worker; });
        place = place->second.empty() ? rooms_.erase(place) : std::next(place);
    }
}

}  // namespace sluice
