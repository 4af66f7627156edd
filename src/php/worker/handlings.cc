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

Handling* Handlings::find(const Inbound& cancellation) const {
    const auto [begin, end] = by_connection_.equal_range(cancellation.connection);
    for (auto place = begin; place != end; ++place) {
        Handling& handling = *place->second;
        if (handling.message.kind == InboundKind::kRequest &&
            handling.message.request == cancellation.request && handling.coroutine) {
            return &handling;
        }
    }
    return nullptr;
}

void Handlings::cancel(const Inbound& cancellation) {
    Handling* const handling = find(cancellation);
    if (!handling) return;
    handling->cancelled = true;
    const bool overdue = cancellation.close_code == static_cast<uint16_t>(CancelReason::kOverdue);
    if (overdue && handling->response) handling->abandon(handling->response);
    scheduler()->interrupt(*handling->coroutine,
                           overdue ? "The request has taken longer than it may (requestSeconds)"
                                   : "The client has closed its connection");
}

}  // namespace sluice::php
