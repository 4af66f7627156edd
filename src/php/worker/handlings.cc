#include "php/worker/handlings.h"

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

void Handlings::remove(const Handling& handling) {
    const auto [begin, end] = by_connection_.equal_range(handling.message.connection);
    for (auto place = begin; place != end; ++place) {
        if (place->second != &handling) continue;
        by_connection_.erase(place);
        return;
    }
}

Handling* Handlings::find(ConnectionId connection, uint32_t number) const {
    const auto [begin, end] = by_connection_.equal_range(connection);
    for (auto place = begin; place != end; ++place) {
        Handling& handling = *place->second;
        const auto* request = handling.message.as<inbound::Request>();
        if (request && request->number == number && handling.coroutine) return &handling;
    }
    return nullptr;
}

void Handlings::cancel(ConnectionId connection, const inbound::Cancellation& cancellation) {
    Handling* const handling = find(connection, cancellation.request);
    if (!handling) return;
    handling->cancelled = true;
    const bool overdue = cancellation.reason == CancelReason::kOverdue;
    if (overdue && handling->response) handling->abandon(handling->response);
    scheduler()->interrupt(*handling->coroutine,
                           overdue ? "The request has taken longer than requestSeconds allows"
                                   : "The client has closed its connection");
}

}  // namespace sluice::php
