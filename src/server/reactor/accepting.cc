#include "server/reactor/accepting.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/socket.h>

#include "core/log.h"
#include "io/address.h"
#include "io/poller.h"
#include "server/config/endpoints.h"
#include "server/config/limits.h"
#include "server/reactor/address_limits.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection_life.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/poll_token.h"
#include "server/reactor/reclaiming.h"
#include "server/reactor/session_host.h"
#include "server/reactor/unsent_room.h"
#include "server/seam/address_table.h"

namespace sluice {

namespace {
constexpr int kAcceptsPerTurn = 64;
/// Connections of base mode that keep the number that they get.
constexpr int kOwnNumbers = 256;
/// EPOLLEXCLUSIVE: of several reactors that share a Unix socket, not all wake up for each connection.
constexpr uint32_t kListenerEvents = EPOLLIN | EPOLLEXCLUSIVE;

uint64_t token_of(size_t place) {
    return PollToken(PollToken::Kind::kListener, place).bits();
}
}  // namespace

Accepting::Accepting(const Wiring& wiring)
    : to_(wiring), reserve_(DescriptorReserve::wanted(wiring.commons.limits, wiring.layout.shape())) {}

void Accepting::add(uint16_t endpoint, UniqueFd fd) {
    size_t place = 0;
    while (place < listeners_.size() && listeners_[place])
        ++place;
    if (place == listeners_.size()) listeners_.emplace_back();
    // Accepted sockets inherit both, which saves system calls for each.
    const int on = 1;
    setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    unsent_room::begin(fd.get());
    to_.poller.add(fd.get(), kListenerEvents, token_of(place));
    listeners_[place] = std::make_unique<Listener>(Listener{std::move(fd), endpoint});
}

void Accepting::remove(uint16_t endpoint) {
    for (auto& listener : listeners_) {
        if (!listener || listener->endpoint != endpoint) continue;
        accept_from(*listener);
        to_.poller.remove(listener->fd.get());
        listener.reset();
    }
}

void Accepting::remove_all() {
    for (auto& listener : listeners_) {
        if (!listener) continue;
        to_.poller.remove(listener->fd.get());
        listener.reset();
    }
}

void Accepting::ready(size_t place) {
    if (place < listeners_.size() && listeners_[place]) accept_from(*listeners_[place]);
}

size_t Accepting::clients_elsewhere() const {
    uint64_t clients = 0;
    for (unsigned other = 0; other < to_.layout.shape().reactors; ++other) {
        if (other != to_.reactor)
            clients += to_.layout.reactor(other).connections.load(std::memory_order_relaxed);
    }
    return clients;
}

/// The next connection, or errno: without a descriptor for it, it waits in the listener's queue. Only when
/// others have just taken many it is closed.
UniqueFd Accepting::next(const Listener& listener, sockaddr_storage& peer) {
    const bool has_few = reserve_.are_few(to_.table.clients());
    if (!has_few && reserve_.is_near() && reserve_.is_next(listener.fd.get())) {
        pollfd queue{listener.fd.get(), POLLIN, 0};
        errno = poll(&queue, 1, 0) > 0 ? EMFILE : EAGAIN;
        return {};
    }
    socklen_t size = sizeof peer;
    UniqueFd fd(
        accept4(listener.fd.get(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (fd && reserve_.has(fd.get()) && !has_few) {
        fd.reset();
        errno = EMFILE;
    }
    // Where the application's streams share the numbers, those that select() knows are left to them.
    if (to_.layout.shape().is_base() && fd.get() >= kOwnNumbers && fd.get() < FD_SETSIZE) {
        UniqueFd higher(fcntl(fd.get(), F_DUPFD_CLOEXEC, FD_SETSIZE));
        if (higher) fd = std::move(higher);
    }
    return fd;
}

void Accepting::accept_from(Listener& listener) {
    reserve_.look();
    const size_t elsewhere = clients_elsewhere();
    size_t room = 0;  ///< of connections that were closed, and are still in the table
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
        sockaddr_storage storage;
        UniqueFd fd = next(listener, storage);
        if (!fd) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                const int error = errno;
                if (to_.reclaiming.free_connections()) continue;
                tell_of_failure(error);
                rest(listener);
                return;
            }
            if (errno == ECONNABORTED || errno == EINTR) continue;
            return;
        }
        if (to_.table.clients() + elsewhere >= to_.commons.limits.connections) {
            if (room == 0) room = to_.reclaiming.free_connections();
            if (room == 0) {  // closed at once
                HistogramCell::add(to_.commons.counters.connections_refused, 1);
                to_.commons.figures.count_refusal("connections");
                continue;
            }
            --room;
        }
        open(std::move(fd), Address::from(storage), listener.endpoint);
    }
}

void Accepting::tell_of_failure(int error) {
    if (std::has_single_bit(++failures_)) {
        SLUICE_WARNING(
            "cannot accept a connection: %s (raise the limit of open files; some are reserved for files and "
            "bodies); %llu times so far",
            strerror(error), static_cast<unsigned long long>(failures_));
    }
}

/// Stops polling the listener: level-triggered, it would wake the reactor all the time.
void Accepting::rest(Listener& listener) {
    to_.poller.remove(listener.fd.get());
    listener.resting = true;
    again_ms_ = to_.commons.now_ms + kPauseMs;
}

void Accepting::rest_all() {
    for (auto& listener : listeners_)
        if (listener) rest(*listener);
}

void Accepting::wake() {
    if (!again_ms_ || again_ms_ > to_.commons.now_ms) return;
    again_ms_ = 0;
    for (size_t place = 0; place < listeners_.size(); ++place) {
        if (!listeners_[place] || !listeners_[place]->resting) continue;
        listeners_[place]->resting = false;
        to_.poller.add(listeners_[place]->fd.get(), kListenerEvents, token_of(place));
    }
}

void Accepting::open(UniqueFd fd, const Address& peer, uint16_t endpoint) {
    const uint64_t now_ms = to_.commons.now_ms;
    const Endpoints::Endpoint& listener = (*to_.commons.endpoints)[endpoint];
    const bool is_trusted = listener.spec.proxies.trusts(peer);
    uint64_t address_key = 0;
    // A trusted proxy speaks for many clients: it has no limit by address.
    if (!is_trusted && !to_.addresses.admits(peer, now_ms, address_key)) {
        HistogramCell::add(to_.commons.counters.connections_refused, 1);
        return;
    }
    HistogramCell::add(to_.commons.counters.connections_accepted, 1);
    std::unique_ptr<TlsStream> tls;
    if (listener.spec.tls) {
        // When the certificates could not be loaded (logged then), the connection is closed at once.
        if (listener.tls) tls = TlsStream::create(listener.tls, fd.get());
        if (!tls) {
            HistogramCell::add(to_.commons.figures.tls_handshake_failures, 1);
            return;
        }
    }
    const int socket = fd.get();
    Connection& connection = to_.table.add(std::move(fd), endpoint, peer, listener.spec.slow_client, now_ms);
    if (!to_.poller.add(socket, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, connection.id)) {
        SLUICE_WARNING("cannot watch a connection from %s: %s", peer.to_string().c_str(), strerror(errno));
        to_.life.destroy(connection);
        return;
    }
    connection.carrier = std::move(tls);
    to_.commons.sessions.begin(to_.host, connection);
    connection.trusted = is_trusted;
    if (is_trusted) connection.address_key = 0;
    connection.awaits_proxy = listener.spec.proxies.proxy_protocol;
    to_.addresses.count(connection, address_key, now_ms);
    connection.known = to_.commons.known_addresses.recognizes(connection.address_key);
    if (connection.tls() || (connection.awaits_proxy && connection.trusted)) {
        to_.host.set_deadline(connection, to_.commons.limits.handshake_ms);
    } else {
        connection.session->connected(to_.host, connection);
    }
    // The poller tells whether it has sent something.
}

}  // namespace sluice
