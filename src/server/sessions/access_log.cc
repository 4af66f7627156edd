#include "server/sessions/access_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "core/clock.h"
#include "core/log.h"
#include "server/config/endpoints.h"

namespace sluice {

namespace {

/// How much of a malformed request is logged.
constexpr size_t kMostUnreadableBytes = 256;
constexpr uint16_t kClientClosed = 499;  // nginx's "client closed request"

AccessRecord::Piece keep(std::string& text, std::string_view piece) {
    const AccessRecord::Piece kept{static_cast<uint32_t>(text.size()), static_cast<uint32_t>(piece.size())};
    text += piece;
    return kept;
}

}  // namespace

std::unique_ptr<AccessRecord> AccessLog::begin(const http::RequestHead& head,
                                               std::span<const http::Field> fields, std::string_view text,
                                               const char* protocol) const {
    auto record = std::make_unique<AccessRecord>();
    record->log = shared_from_this();
    record->begun_us = monotonic_us();
    record->at_us = wall_clock_us();
    record->protocol = protocol;
    std::string_view referer, user_agent, request_id;
    for (const http::Field& field : fields) {
        // Most names differ in length: compare that first.
        const std::string_view name = field.name.in(text.data());
        if (name.size() == 7 && name == "referer") referer = field.value.in(text.data());
        if (name.size() == 10 && name == "user-agent") user_agent = field.value.in(text.data());
        if (name.size() == 12 && name == "x-request-id") request_id = field.value.in(text.data());
    }
    const std::string_view method = head.method_text.in(text.data()), target = head.target.in(text.data()),
                           host = head.host.in(text.data());
    record->text.reserve(method.size() + target.size() + host.size() + referer.size() + user_agent.size() +
                         request_id.size());
    record->parent = http::find_traceparent(fields, text.data());
    record->method = keep(record->text, method);
    record->target = keep(record->text, target);
    record->host = keep(record->text, host);
    record->referer = keep(record->text, referer);
    record->user_agent = keep(record->text, user_agent);
    record->request_id = keep(record->text, request_id);
    return record;
}

std::unique_ptr<AccessRecord> AccessLog::begin_unreadable(std::string_view text) const {
    auto record = std::make_unique<AccessRecord>();
    record->log = shared_from_this();
    record->begun_us = monotonic_us();
    record->at_us = wall_clock_us();
    text = text.substr(0, std::min(text.find_first_of("\r\n"), kMostUnreadableBytes));
    record->target = keep(record->text, text);
    return record;
}

void AccessLog::write(const AccessRecord& record, std::string_view peer, std::string_view route,
                      const TraceIds* ids, uint64_t unsent_bytes, bool complete) const {
    const auto piece = [&](const AccessRecord::Piece& place) {
        return std::string_view(record.text).substr(place.offset, place.length);
    };
    http::AccessEntry entry;
    entry.at_us = record.at_us;
    entry.peer = peer;
    entry.method = piece(record.method);
    entry.target = piece(record.target);
    entry.protocol = record.protocol;
    entry.route = route;
    entry.host = piece(record.host);
    entry.referer = piece(record.referer);
    entry.user_agent = piece(record.user_agent);
    entry.request_id = piece(record.request_id);
    const TraceText trace(ids ? *ids : TraceIds{});
    if (ids) {
        entry.trace_id = trace.trace();
        entry.span_id = trace.span();
    }
    entry.status = record.status ? record.status : kClientClosed;
    entry.body_bytes = record.status ? record.body_bytes - std::min(unsent_bytes, record.body_bytes) : 0;
    entry.duration_us = monotonic_us() - record.begun_us;
    entry.complete = complete;
    // One buffer for each thread, which keeps its memory from line to line.
    thread_local std::string line;
    line.clear();
    http::append_access_line(line, format_, entry);
    writer_->append(line);
}

void AccessLogs::give_to(Endpoints& endpoints) {
    std::set<std::string> needed;
    for (uint16_t id = 0; id < endpoints.size(); ++id) {
        const Endpoints::Endpoint& endpoint = endpoints[id];
        if (!endpoint.active || !endpoint.spec.access_log) continue;
        const AccessLogOptions& options = *endpoint.spec.access_log;
        needed.insert(options.path);
        std::shared_ptr<LineWriter>& writer = by_path_[options.path];
        if (!writer) writer = LineWriter::open(options.path, most_bytes_);
        if (writer) {
            endpoints.set_access_log(id, std::make_shared<const AccessLog>(writer, options.format));
        } else {
            SLUICE_ERROR("cannot open the access log %s: %s; requests to %s are not logged",
                         options.path.c_str(), strerror(errno), endpoint.spec.address.c_str());
        }
    }
    std::erase_if(by_path_,
                  [&](const auto& entry) { return !needed.contains(entry.first) || !entry.second; });
}

void AccessLogs::reopen() {
    for (auto& [path, writer] : by_path_)
        writer->reopen();
}

}  // namespace sluice
