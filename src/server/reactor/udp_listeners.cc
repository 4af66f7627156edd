#include "server/reactor/udp_listeners.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "core/log.h"
#include "server/config/limits.h"
#include "server/reactor/poll_token.h"

namespace sluice {

namespace {
/// Datagrams get 1/kArenaPart of the arena, and leave 1/kSparedRingPart of a worker's ring to others.
constexpr size_t kArenaPart = 2, kSparedRingPart = 4;
}  // namespace

UdpListeners::UdpListeners(const SharedLayout& layout, unsigned reactor, const Limits& limits,
                           const std::shared_ptr<const Endpoints>& endpoints, Poller& poller)
    : layout_(layout),
      reactor_(reactor),
      endpoints_(endpoints),
      most_arena_bytes_(limits.arena_bytes / layout.shape().serving() / kArenaPart),
      most_queued_bytes_(limits.sending.queued_bytes),
      spared_ring_bytes_(layout.shape().ring_bytes / kSparedRingPart),
      poller_(poller),
      receiver_(sizeof(Address)) {
    publish();
}

void UdpListeners::add(uint16_t endpoint, UniqueFd fd) {
    sockaddr_storage storage = {};
    socklen_t size = sizeof storage;
    getsockname(fd.get(), reinterpret_cast<sockaddr*>(&storage), &size);
    size_t place = 0;
    while (place < listeners_.size() && listeners_[place])
        ++place;
    if (place == listeners_.size()) listeners_.emplace_back();
    // The socket's former owner has counted earlier losses.
    const uint32_t lost = count_lost_datagrams(fd.get());
    listeners_[place] = std::make_unique<Listener>(
        Listener{std::move(fd), endpoint, static_cast<uint8_t>(storage.ss_family), lost, false, 0, {}});
    poll_for(place);
}

/// Datagrams still in the socket's queue are lost, as UDP allows.
void UdpListeners::remove(uint16_t endpoint) {
    for (auto& listener : listeners_) {
        if (!listener || listener->endpoint != endpoint) continue;
        poller_.remove(listener->fd.get());
        listener.reset();
    }
    publish();
}

void UdpListeners::stop_receiving() {
    receiving_ = false;
    for (size_t place = 0; place < listeners_.size(); ++place)
        if (listeners_[place]) poll_for(place);
}

void UdpListeners::poll_for(size_t place) {
    const Listener& listener = *listeners_[place];
    const uint32_t events = (receiving_ ? EPOLLIN : 0u) | (listener.blocked ? EPOLLOUT : 0u);
    poller_.remove(listener.fd.get());
    if (events) poller_.add(listener.fd.get(), events, PollToken(PollToken::Kind::kUdp, place).bits());
}

void UdpListeners::ready(size_t place, uint32_t events, Transport& transport) {
    if (place >= listeners_.size() || !listeners_[place]) return;
    if (events & EPOLLOUT) flush(place);
    // One batch in a turn: epoll reports it again while there is more.
    if ((events & (EPOLLIN | EPOLLERR)) && receiving_) receive(*listeners_[place], transport);
}

void UdpListeners::receive(Listener& listener, Transport& transport) {
    uint64_t lost = 0;
    const uint32_t lost_before = listener.lost;
    for (const DatagramReceiver::Datagram& datagram : receiver_.receive(listener.fd.get(), listener.lost)) {
        if (!deliver(listener, datagram, transport)) ++lost;
    }
    if (lost) drop(Why::kBusyWorkers, lost);
    // A datagram from before the takeover has a lower count.
    const auto lost_by_kernel = static_cast<int32_t>(listener.lost - lost_before);
    if (lost_by_kernel > 0) drop(Why::kUnread, static_cast<uint64_t>(lost_by_kernel));
    if (lost_by_kernel < 0) listener.lost = lost_before;
}

/// This reactor's share of a listener's limit of datagrams in flight.
size_t UdpListeners::most_in_flight(uint16_t endpoint) const {
    const uint32_t all = (*endpoints_)[endpoint].spec.limits.udp.datagrams;
    return std::max<size_t>(1, all / layout_.shape().serving());
}

UdpListeners::Listener* UdpListeners::find(uint16_t endpoint) {
    for (const auto& listener : listeners_)
        if (listener && listener->endpoint == endpoint) return listener.get();
    return nullptr;
}

bool UdpListeners::deliver(Listener& listener, const DatagramReceiver::Datagram& datagram,
                           Transport& transport) {
    received_bytes_ += datagram.size;
    if (listener.in_flight >= most_in_flight(listener.endpoint)) return false;
    const int worker = transport.least_busy();
    if (worker == kNoWorker) return false;
    const size_t bytes = sizeof(Address) + datagram.size;
    const bool in_extent = bytes >= kExtentThreshold;
    // Anybody can name any sender: all that comes to a socket is one client's.
    const ConnectionId id = udp_id(reactor_, listener.endpoint);
    if (!transport.accepts(worker, id, spared_ring_bytes_ + (in_extent ? 0 : bytes))) return false;
    if (transport.used_bytes() + bytes > most_arena_bytes_) return false;
    char* start = datagram.bytes - sizeof(Address);
    memcpy(start, &datagram.from, sizeof datagram.from);
    Inbound message;
    message.what = inbound::Datagram{};
    message.connection = id;
    message.client = id;
    message.endpoint = listener.endpoint;
    message.payload = {start, bytes};
    Room room;
    if (in_extent) {
        room = transport.allocate(bytes);
        if (!room) return false;
        memcpy(room.data, start, bytes);
        message.payload = {room.data, bytes};
    }
    transport.deliver(worker, message, room);
    ++listener.in_flight;
    ++in_flight_;
    ++received_;
    return true;
}

void UdpListeners::send(const Command& command, Ref<Payload> payload, bool memory_full) {
    const auto& [to, endpoint] = *command.as<command::SendDatagram>();
    if (command.payload.size() > kMostDatagramBytes) return;
    size_t place = 0;
    while (place < listeners_.size() && !(listeners_[place] && listeners_[place]->endpoint == endpoint))
        ++place;
    // The listener has gone with a reload, or the worker has invented the endpoint.
    if (place == listeners_.size() || listeners_[place]->family != to.family) return;
    UdpQueue& queue = listeners_[place]->queue;
    if (memory_full || queue.bytes() + command.payload.size() > most_queued_bytes_) {
        drop(Why::kFullQueue);
        return;
    }
    if (!payload) payload = HeapPayload::copy_of({}, command.payload);
    queue.add(to, std::move(payload));
    if (!listeners_[place]->blocked && queue.count() >= UdpQueue::kBatch) flush(place);
    if (listeners_[place]->blocked) publish();
}

bool UdpListeners::wants_flush() const {
    return std::any_of(listeners_.begin(), listeners_.end(), [](const auto& listener) {
        return listener && !listener->blocked && listener->queue.count() > 0;
    });
}

void UdpListeners::flush() {
    for (size_t place = 0; place < listeners_.size(); ++place) {
        if (listeners_[place] && !listeners_[place]->blocked && listeners_[place]->queue.count())
            flush(place);
    }
}

void UdpListeners::flush(size_t place) {
    Listener& listener = *listeners_[place];
    uint64_t refused = 0;
    const bool blocked = !listener.queue.flush(listener.fd.get(), refused, sent_bytes_);
    if (refused) drop(Why::kRefused, refused);
    if (blocked == listener.blocked && !blocked) return;
    listener.blocked = blocked;
    poll_for(place);
    publish();
}

void UdpListeners::finished(ConnectionId id) {
    if (in_flight_ > 0) --in_flight_;
    Listener* listener = find(udp_endpoint_of(id));
    if (listener && listener->in_flight > 0) --listener->in_flight;
}

bool UdpListeners::is_empty() const {
    return in_flight_ == 0 && std::all_of(listeners_.begin(), listeners_.end(), [](const auto& listener) {
               return !listener || listener->queue.count() == 0;
           });
}

void UdpListeners::drop(Why why, uint64_t count) {
    static constexpr const char* kSentences[] = {
        "that workers do not keep up with", "that come faster than they are read",
        "that the network does not take", "that the network refuses"};
    static_assert(std::size(kSentences) == static_cast<size_t>(Why::kCount));
    uint64_t& dropped = dropped_[static_cast<size_t>(why)];
    const uint64_t before = dropped;
    dropped += count;
    if (std::bit_width(before) != std::bit_width(dropped)) {
        SLUICE_WARNING("UDP: datagrams %s are dropped; %llu so far", kSentences[static_cast<size_t>(why)],
                       static_cast<unsigned long long>(dropped));
    }
    layout_.reactor(reactor_).datagrams_dropped.fetch_add(count, std::memory_order_relaxed);
}

/// Publishes the longest queue, by which workers answer what becomes of a datagram.
void UdpListeners::publish() {
    size_t bytes = 0;
    for (const auto& listener : listeners_)
        if (listener && listener->blocked) bytes = std::max(bytes, listener->queue.bytes());
    layout_.reactor(reactor_).udp_queued_bytes.store(bytes, std::memory_order_relaxed);
}

}  // namespace sluice
