// How a reactor comes by its connections.

#include <bit>
#include <cerrno>
#include <cstring>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/log.h"
#include "server/reactor/reactor.h"
#include "server/reactor/reactor_tokens.h"

namespace sluice {

namespace {
constexpr int kAcceptsPerTurn = 64;
}  // namespace

void Reactor::set_endpoints(std::shared_ptr<const Endpoints> endpoints) {
    commons_.endpoints = std::move(endpoints);
}

/// Exclusively polled: of several reactors that share a Unix socket, not all wake up for each connection.
void Reactor::add_listener(uint16_t endpoint, UniqueFd fd) {
    if (endpoints()[endpoint].spec.kind == EndpointKind::kUdp) {
        udp_.add(endpoint, std::move(fd));
        return;
    }
    size_t place = 0;
    while (place < listeners_.size() && listeners_[place])
        ++place;
    if (place == listeners_.size()) listeners_.emplace_back();
    poller_.add(fd.get(), EPOLLIN | EPOLLEXCLUSIVE, kListenerToken + place);
    listeners_[place] = std::make_unique<Listener>(Listener{std::move(fd), endpoint});
}

void Reactor::remove_listener(uint16_t endpoint) {
    udp_.remove(endpoint);
    for (auto& listener : listeners_) {
        if (!listener || listener->endpoint != endpoint) continue;
        accept_from(*listener);  // what the kernel has accepted for us already
        poller_.remove(listener->fd.get());
        listener.reset();
    }
}

void Reactor::accept_from(Listener& listener) {
    uint64_t elsewhere = 0;
    for (unsigned other = 0; other < layout_.shape().reactors; ++other) {
        if (other != index_) elsewhere += layout_.reactor(other).connections.load(std::memory_order_relaxed);
    }
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
        sockaddr_storage storage;
        socklen_t size = sizeof storage;
        UniqueFd fd(accept4(listener.fd.get(), reinterpret_cast<sockaddr*>(&storage), &size,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!fd) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                if (std::has_single_bit(++accept_failures_)) {
                    SLUICE_WARNING(
                        "cannot accept a connection: %s (raise the limit of open files); %llu times so far",
                        strerror(errno), static_cast<unsigned long long>(accept_failures_));
                }
                // Level-triggered, the listener would wake us all the while.
                poller_.remove(listener.fd.get());
                listener.resting = true;
                accept_again_ms_ = now_ms_ + kAcceptPauseMs;
            }
            if (errno == ECONNABORTED || errno == EINTR) continue;
            return;
        }
        if (connections_ - streams_ + elsewhere >= limits_.connections)
            continue;  // closed at once: the honest answer to one too many
        open(std::move(fd), Address::from(storage), listener.endpoint);
    }
}

void Reactor::wake_listeners() {
    accept_again_ms_ = 0;
    for (size_t place = 0; place < listeners_.size(); ++place) {
        if (!listeners_[place] || !listeners_[place]->resting) continue;
        listeners_[place]->resting = false;
        poller_.add(listeners_[place]->fd.get(), EPOLLIN | EPOLLEXCLUSIVE, kListenerToken + place);
    }
}

void Reactor::open(UniqueFd fd, const Address& peer, uint16_t endpoint) {
    const Endpoints::Endpoint& listener = endpoints()[endpoint];
    const bool is_trusted = listener.spec.proxies.trusts(peer);
    uint64_t address_key = 0;
    // Who speaks for many clients is not one of them.
    if (!is_trusted && !admits(peer, address_key)) return;
    int on = 1;
    setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::unique_ptr<TlsStream> tls;
    if (listener.spec.tls) {
        // Without certificates that could be loaded, what was logged then, the connection is closed at once.
        if (listener.tls) tls = TlsStream::create(listener.tls, fd.get());
        if (!tls) return;
    }
    const int socket = fd.get();
    Connection& connection = add_connection(std::move(fd), endpoint, peer);
    if (!poller_.add(socket, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, connection.id)) {
        SLUICE_WARNING("cannot watch a connection from %s: %s", peer.to_string().c_str(), strerror(errno));
        destroy(connection);
        return;
    }
    connection.tls = std::move(tls);
    sessions().begin(*this, connection);
    connection.trusted = is_trusted;
    connection.awaits_proxy = listener.spec.proxies.proxy_protocol;
    count_address(connection, address_key);
    if (connection.tls || (connection.awaits_proxy && connection.trusted)) {
        set_deadline(connection, limits_.handshake_ms);
    } else {
        connection.session->connected(*this, connection);
    }
    connection.readable = true;
    schedule(connection);
}

Connection& Reactor::add_connection(UniqueFd fd, uint16_t endpoint, const Address& peer) {
    // The place is decided by the serial, so a taken place means that this serial is passed over.
    while (table_[next_serial_ & mask_])
        ++next_serial_;
    const ConnectionId id = make_connection_id(index_, next_serial_++);
    auto& place = table_[id & mask_];
    place = std::make_unique<Connection>(id, std::move(fd), endpoint);
    place->active_ms = now_ms_;
    ++connections_;
    cells().begin(id, peer, endpoints()[endpoint].spec.slow_client);
    return *place;
}

Connection* Reactor::find(ConnectionId id) const {
    Connection* connection = table_[id & mask_].get();
    return connection && connection->id == id ? connection : nullptr;
}

}  // namespace sluice
