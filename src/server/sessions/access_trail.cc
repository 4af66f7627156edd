#include "server/sessions/access_trail.h"

#include <algorithm>

#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/access_log.h"

namespace sluice {

void AccessTrail::add(std::unique_ptr<AccessRecord> record) {
    std::unique_ptr<AccessRecord>* place = &first_;
    while (*place)
        place = &(*place)->next;
    *place = std::move(record);
    last_ = place->get();
}

void AccessTrail::go_on(AccessTrail&& next) {
    if (next.first_) add(std::move(next.first_));
    next.last_ = nullptr;
}

void AccessTrail::begin(const SessionHost& host, const Connection& self, const http::RequestHead& head,
                        std::span<const http::Field> fields, std::string_view text) {
    if (last_) return;
    const auto& log = host.endpoints()[self.endpoint].access_log;
    if (!log) return;
    const char* protocol = head.version_major == 2 ? "HTTP/2.0"
                           : head.version_minor    ? "HTTP/1.1"
                                                   : "HTTP/1.0";
    add(log->begin(head, fields, text, protocol));
    const http::TrustedProxies& proxies = host.endpoints()[self.endpoint].spec.proxies;
    if (self.trusted && proxies.fields != http::ProxyFields::kNone)
        last_->client = http::read_forwarded(fields, text, proxies).client;
}

void AccessTrail::begin_unreadable(const SessionHost& host, const Connection& self, std::string_view text) {
    if (last_) return;
    const auto& log = host.endpoints()[self.endpoint].access_log;
    if (log) add(log->begin_unreadable(text));
}

void AccessTrail::end() {
    if (!last_) return;
    last_->ended = true;
    last_ = nullptr;
}

void AccessTrail::cut(const SessionHost& host, const Connection& self, uint64_t unsent_bytes) {
    if (!first_) return;
    last_ = nullptr;
    write(host, self, unsent_bytes);
    first_.reset();
}

/// Writes the records that have ended, and after a cut the one that has not. `unsent_bytes` are of the last
/// queued responses.
void AccessTrail::write(const SessionHost& host, const Connection& self, uint64_t unsent_bytes) {
    const std::string peer = host.cells().peer(self.id).to_string();
    uint64_t queued_behind = 0;
    for (const AccessRecord* later = first_.get(); later; later = later->next.get())
        queued_behind += later->body_bytes;
    while (first_ && first_.get() != last_) {
        queued_behind -= first_->body_bytes;
        const uint64_t unsent = unsent_bytes > queued_behind ? unsent_bytes - queued_behind : 0;
        const std::string_view route = first_->route < 0
                                           ? std::string_view()
                                           : host.endpoints()[static_cast<uint16_t>(first_->route)].spec.path;
        const std::string client = first_->client.family ? first_->client.to_peer_string() : peer;
        std::optional<TraceIds> ids;
        if (first_->number != 0)
            ids = http::ids_of_request(host.trace_key(), self.id, first_->number, first_->parent);
        first_->log->write(*first_, client, route, ids ? &*ids : nullptr, unsent,
                           first_->ended && unsent == 0 && first_->status != 0);
        first_ = std::move(first_->next);
    }
}

}  // namespace sluice
