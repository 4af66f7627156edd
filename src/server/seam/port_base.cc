#include "server/seam/port_base.h"

#include <algorithm>
#include <cstring>

#include "core/clock.h"
#include "server/seam/attachments.h"
#include "server/seam/message_share.h"

namespace sluice {

bool is_for_one_connection(const Command& command) {
    return !command.is<command::Publish>() && !command.is<command::SendMany>() && !command.is_question() &&
           !command.is<command::WantBody>() && !command.is<command::SendDatagram>() &&
           !command.is<command::Tell>();
}

PortBase::~PortBase() {
    // PHP may still hold some of the files for a while.
    if (files_) files_->forget_account();
}

Ref<RequestFile> PortBase::create_body_file(uint64_t client, const std::string& folder, http::Error& error) {
    if (!files_) {
        files_ = std::make_shared<TemporaryFiles>(layout_, layout_.worker(slot_).file_bytes, folder,
                                                  limits_.temporary_file_bytes);
    }
    return files_->create(client, http::kNoLength, error);
}

bool PortBase::is_open(ConnectionId id) const {
    return id != kNoConnection && layout_.connection(id).id.load(std::memory_order_acquire) == id;
}

size_t PortBase::queued_bytes(ConnectionId id) const {
    const ConnectionCell& cell = layout_.connection(id);
    uint64_t handled = cell.handled_bytes.load(std::memory_order_relaxed);
    uint64_t submitted = cell.submitted_bytes.load(std::memory_order_relaxed);
    size_t bytes = cell.queued_bytes.load(std::memory_order_relaxed);
    if (submitted > handled) bytes += submitted - handled;
    return is_open(id) ? bytes : 0;
}

/// nullptr: the endpoint is of a boot that this worker does not know.
const EndpointSpec* PortBase::endpoint_of(ConnectionId id) const {
    const uint16_t endpoint = layout_.connection(id).endpoint.load(std::memory_order_relaxed);
    return endpoints_ && endpoint < endpoints_->size() ? &(*endpoints_)[endpoint].spec : nullptr;
}

const SendLimits& PortBase::sending(ConnectionId id) const {
    const EndpointSpec* endpoint = endpoint_of(id);
    return endpoint ? endpoint->sending() : limits_.sending;
}

int PortBase::site_of(uint16_t endpoint) const {
    return endpoints_ && endpoint < endpoints_->size() ? endpoints_->listener_of(endpoint) : Endpoints::kNone;
}

WorkerPort::MatchedAnew PortBase::match_anew(uint16_t endpoint, const inbound::Head& head) const {
    const int site = site_of(endpoint);
    if (site == Endpoints::kNone) return {};
    const char* text = head.text.data();
    const http::RequestHead& parsed = *head.parsed;
    return {endpoints_->http_route(static_cast<uint16_t>(site), parsed.method, parsed.method_text.in(text),
                                   parsed.path.in(text)),
            true};
}

std::string PortBase::allowed_methods(uint16_t endpoint, const inbound::Head& head) const {
    const int site = site_of(endpoint);
    if (site == Endpoints::kNone) return {};
    return endpoints_->allowed_methods(static_cast<uint16_t>(site), head.parsed->path.in(head.text.data()));
}

SlowClient PortBase::slow_client(ConnectionId id) const {
    return layout_.connection(id).slow_client.load(std::memory_order_relaxed);
}

Address PortBase::peer(ConnectionId id) const {
    const Address address = layout_.connection(id).peer;
    return is_open(id) ? address : Address{};
}

Address PortBase::connection_peer(ConnectionId id) const {
    const ConnectionCell& cell = layout_.connection(id);
    const bool proxied = cell.proxied.load(std::memory_order_relaxed);
    const Address address = proxied ? layout_.proxy(id) : cell.peer;
    return is_open(id) ? address : Address{};
}

void PortBase::charge(uint64_t client, ConnectionId connection, uint32_t cost_us) {
    const FlowCosts costs = layout_.flow_costs();
    const uint64_t now_ms = monotonic_ms();
    costs.charge(client, cost_us, now_ms);
    if (connection != kNoConnection) costs.charge(FlowCosts::of_connection(connection), cost_us, now_ms);
}

uint32_t PortBase::protocol_number(ConnectionId id) const {
    const uint32_t number = layout_.connection(id).protocol.load(std::memory_order_relaxed);
    return is_open(id) ? number : 0;
}

uint32_t PortBase::round_trip_us(ConnectionId id) const {
    const uint32_t microseconds = layout_.connection(id).round_trip_us.load(std::memory_order_relaxed);
    return is_open(id) ? microseconds : 0;
}

bool PortBase::read_path(ConnectionId id, uint16_t& endpoint, char* path, size_t& bytes) const {
    const PathCell& cell = layout_.path(id);
    if (id == kNoConnection || cell.id.load(std::memory_order_acquire) != id) return false;
    endpoint = cell.endpoint;
    bytes = std::min<size_t>(cell.bytes, PathCell::kMostBytes);
    memcpy(path, cell.path, bytes);
    std::atomic_thread_fence(std::memory_order_acquire);
    return cell.id.load(std::memory_order_relaxed) == id;
}

Attached PortBase::find_attached(ConnectionId id) const {
    return sluice::find_attached(layout_, id);
}

bool PortBase::read_attached(ConnectionId id, const Attached& found, char* to) const {
    return sluice::read_attached(layout_, id, found, to);
}

void PortBase::set_lent_bytes(size_t bytes) {
    layout_.worker(slot_).lent_bytes.store(bytes, std::memory_order_relaxed);
}

void PortBase::set_coroutines(const CoroutineCounts& counts) {
    WorkerCell& cell = layout_.worker(slot_);
    cell.coroutines.store(counts.live, std::memory_order_relaxed);
    cell.pooled_stacks.store(counts.pooled, std::memory_order_relaxed);
    cell.peak_coroutines.store(counts.peak, std::memory_order_relaxed);
    cell.handlers.store(counts.handlers, std::memory_order_relaxed);
    cell.waiting.store(counts.waiting, std::memory_order_relaxed);
    cell.handled.store(counts.handled, std::memory_order_relaxed);
    cell.heap_bytes.store(counts.heap_bytes, std::memory_order_relaxed);
}

void PortBase::count_handled(uint16_t endpoint, uint64_t waited_us, uint64_t ran_us) {
    layout_.handlers(slot_).observe(endpoint, waited_us, ran_us);
}

void PortBase::count_stall() {
    layout_.worker(slot_).stalls.fetch_add(1, std::memory_order_relaxed);
}

ServerStats PortBase::stats() const {
    return stats_of(layout_);
}

void count_submitted(const SharedLayout& layout, const Command& command) {
    auto count = [&](ConnectionId id) {
        if (id == kNoConnection) return;
        ConnectionCell& cell = layout.connection(id);
        if (cell.id.load(std::memory_order_acquire) == id)
            cell.submitted_bytes.fetch_add(command.payload.size(), std::memory_order_relaxed);
    };
    if (const auto* many = command.as<command::SendMany>()) {
        for (const ConnectionId id : many->connections)
            count(id);
    } else if (!command.payload.empty() && is_for_one_connection(command)) {
        count(command.connection);
    }
}

/// What waits in the process of the connection's reactor is more than `bytes` for all processes allow.
bool PortBase::is_more_queued(ConnectionId id, uint64_t bytes) const {
    if (reactor_of(id) >= layout_.shape().reactors) return false;
    const uint64_t queued = layout_.reactor(reactor_of(id)).out_bytes.load(std::memory_order_relaxed);
    return queued > bytes / layout_.shape().processes();
}

bool PortBase::out_memory_is_full(ConnectionId id) const {
    return is_more_queued(id, message_share(limits_.queued_total_bytes));
}

/// As OutBudget::has_room(): what others of its address hold is told when the reactor has seen it.
bool PortBase::has_fair_room(ConnectionId id, size_t queued) const {
    if (queued > 0 && is_more_queued(id, limits_.queued_total_bytes)) return false;
    return !layout_.connection(id).over_share.load(std::memory_order_relaxed) &&
           queued <= layout_.reactor(reactor_of(id)).share_bytes.load(std::memory_order_relaxed);
}

unsigned PortBase::reactor_for(const Command& command) {
    const auto* many = command.as<command::SendMany>();
    return reactor_of(many && !many->connections.empty() ? many->connections.front() : command.connection);
}

/// Commands for all reactors have a way of their own.
unsigned PortBase::way_of(const Command& command) const {
    return command.is_for_all() ? layout_.shape().reactors : reactor_for(command);
}

Submitted PortBase::foresee_datagram(const Command& command) const {
    const unsigned reactor = reactor_of(command.connection);
    if (reactor >= layout_.shape().reactors) return Submitted::kClosed;
    const uint64_t queued = layout_.reactor(reactor).udp_queued_bytes.load(std::memory_order_relaxed);
    if (out_memory_is_full(command.connection) ||
        queued + command.payload.size() > limits_.sending.queued_bytes)
        return Submitted::kDropped;
    return queued == 0 ? Submitted::kSent : Submitted::kQueued;
}

Submitted PortBase::foresee(const Command& command) const {
    if (command.is<command::SendDatagram>()) return foresee_datagram(command);
    if (!is_for_one_connection(command)) return Submitted::kSent;
    if (!is_open(command.connection)) return Submitted::kClosed;
    if (command.is<command::Unsubscribe>()) return Submitted::kSent;
    if (command.is<command::Subscribe>()) {
        const EndpointSpec* endpoint = endpoint_of(command.connection);
        const uint32_t most = (endpoint ? endpoint->limits : ProtocolLimits()).websocket.subscriptions;
        const ConnectionCell& cell = layout_.connection(command.connection);
        const bool full = cell.subscriptions.load(std::memory_order_relaxed) >= most;
        return full ? Submitted::kDropped : Submitted::kSent;
    }
    size_t queued = queued_bytes(command.connection);
    const bool is_message = command.is<command::Send>();
    const bool drops_oldest = is_message && slow_client(command.connection) == SlowClient::kDropOldest;
    const bool may_be_dropped = (is_message || command.is<command::Ping>()) && !drops_oldest;
    if (may_be_dropped && out_memory_is_full(command.connection) &&
        (queued > 0 || command.payload.size() > kSmallWhenFullBytes) &&
        !has_fair_room(command.connection, queued)) {
        return Submitted::kDropped;
    }
    if (queued == 0) return Submitted::kSent;
    if (may_be_dropped && queued + command.payload.size() > sending(command.connection).queued_bytes)
        return Submitted::kDropped;
    return Submitted::kQueued;
}

}  // namespace sluice
