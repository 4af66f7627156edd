#include "server/reactor.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "base/log.h"
#include "io/doorbell.h"
#include "protocol/websocket_frame.h"

namespace sluice {

namespace {
/// Where bytes are received that have no message to go to yet.
constexpr size_t kScratchBytes = 65536;
/// The same while a connection sends big messages: the next header and hardly more, so that the payload
/// behind it goes straight to its slot instead of through the scratch buffer.
constexpr size_t kBulkScratchBytes = 256;
/// A connection that has sent this much lets the others go first.
constexpr size_t kReadBudgetBytes = 4u << 20;
constexpr int kAcceptsPerTurn = 64;
constexpr size_t kRetriesPerTurn = 512;
/// How long a listener rests when there are no descriptors left.
constexpr uint64_t kAcceptPauseMs = 100;
/// While something waits for memory or for room in a ring, look again this often: nobody rings for that.
constexpr int kRetryMs = 1;
/// Workers refuse a send by what they see of the queue, which is without the frame headers of what is on its
/// way. What they have promised is kept.
constexpr size_t kQueueSlackBytes = 65536;
/// How long our last bytes get to arrive at a client that is still sending.
constexpr uint32_t kLingerMs = 2000;
constexpr uint32_t kLingerAtShutdownMs = 250;
/// Wake up now and then whatever happens: workers are not trusted to ring.
constexpr int kLongestSleepMs = 1000;

// Tokens of the poller: a connection's id, or one of these, which no id can be.
constexpr uint64_t kSpecial = uint64_t{1} << 63;
constexpr uint64_t kDoorbellToken = kSpecial;
constexpr uint64_t kWatchToken = kSpecial + 1;
constexpr uint64_t kListenerToken = kSpecial + 2;              // + index
constexpr uint64_t kFdToken = kSpecial + (uint64_t{1} << 62);  // + fd
}  // namespace

Reactor::Reactor(const Wiring& wiring)
    : layout_(*wiring.layout),
      index_(wiring.index),
      transport_(wiring.transport),
      doorbell_(wiring.doorbell),
      limits_(wiring.limits),
      wheel_(monotonic_ms()),
      parser_({wiring.limits.head_bytes, static_cast<uint16_t>(wiring.limits.header_fields)}),
      compression_(wiring.limits.compression_bytes / layout_.shape().reactors),
      endpoints_(std::make_shared<Endpoints>()),
      table_(layout_.shape().cells),
      mask_(layout_.shape().cells - 1),
      next_serial_(wall_clock_us()),
      scratch_(kScratchBytes),
      owed_(layout_.shape().worker_slots),
      now_ms_(monotonic_ms()) {
    poller_.add(doorbell_, EPOLLIN, kDoorbellToken);
}

Reactor::~Reactor() {
    for (auto& connection : table_) {
        if (!connection) continue;
        connection->owes_close = false;
        std::visit([&](auto& session) { session.release(*this); }, connection->session);
        destroy(*connection);
    }
}

// -- The loop

void Reactor::turn(int timeout_ms) {
    watched_ready_ = false;
    int wait_ms = timeout_ms < 0 ? kLongestSleepMs : std::min(timeout_ms, kLongestSleepMs);
    if (!scheduled_.empty() || !dirty_.empty()) {
        wait_ms = 0;
    } else if (!waiting_.empty()) {
        wait_ms = std::min(wait_ms, kRetryMs);
    }
    if (accept_again_ms_) wait_ms = std::min(wait_ms, static_cast<int>(kAcceptPauseMs));
    auto& sleeping = layout_.reactor(index_).sleeping;
    if (wait_ms > 0) {
        wait_ms = static_cast<int>(wheel_.wait_ms(monotonic_ms(), static_cast<uint64_t>(wait_ms)));
        Doorbell::about_to_sleep(sleeping);
        if (transport_->pending() || has_tasks()) wait_ms = 0;
    }
    auto events = poller_.wait(wait_ms);
    Doorbell::awake(sleeping);
    now_ms_ = monotonic_ms();
    date_ = date_cache_.at(static_cast<int64_t>(wall_clock_us() / 1'000'000));

    for (const epoll_event& event : events) {
        uint64_t token = event.data.u64;
        if (token == kDoorbellToken) {
            Doorbell::drain(doorbell_);
        } else if (token == kWatchToken) {
            watched_ready_ = true;
        } else if (token >= kFdToken) {
            ready_.push_back({static_cast<int>(token - kFdToken), event.events});
        } else if (token >= kListenerToken) {
            size_t listener = token - kListenerToken;
            if (listener < listeners_.size() && listeners_[listener]) accept_from(*listeners_[listener]);
        } else if (Connection* connection = find(token)) {
            if (event.events & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP)) connection->readable = true;
            if (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) connection->peer_shut = true;
            if (event.events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) {
                connection->writable = true;
                if (!connection->out.empty()) wants_flush(*connection);
            }
            if (connection->tls && connection->tls->waits_crosswise()) {
                connection->readable = connection->writable = true;
                if (!connection->out.empty()) wants_flush(*connection);
            }
            // One whose response is awaited is not read from, so nothing else would find out that nobody
            // waits.
            if ((event.events & (EPOLLHUP | EPOLLERR)) && connection->blocked) abort(*connection);
            schedule(*connection);
        }
    }
    run_tasks();
    transport_->poll(*this);
    serving_.swap(scheduled_);
    for (ConnectionId id : serving_) {
        if (Connection* connection = find(id)) {
            connection->scheduled = false;
            serve(*connection);
        }
    }
    serving_.clear();
    if (!waiting_.empty()) retry_waiting();
    if (accept_again_ms_ && accept_again_ms_ <= now_ms_) wake_listeners();
    fire_timers();
    flush_dirty();
    transport_->flush();
    publish_gauges();
}

void Reactor::watch(int fd) {
    poller_.add(fd, EPOLLIN, kWatchToken);
}

void Reactor::post(Task task) {
    {
        std::lock_guard lock(tasks_mutex_);
        tasks_.push_back(std::move(task));
        has_tasks_.store(true, std::memory_order_seq_cst);
    }
    Doorbell::ring_if_asleep(layout_.reactor(index_).sleeping, doorbell_);
}

bool Reactor::watch_once(int fd, uint32_t events) {
    return poller_.watch_once(fd, events, kFdToken + static_cast<uint64_t>(fd));
}

void Reactor::take_ready(std::vector<ReadyFd>& ready) {
    ready.clear();
    ready.swap(ready_);
}

bool Reactor::has_tasks() {
    return has_tasks_.load(std::memory_order_seq_cst);
}

void Reactor::run_tasks() {
    if (!has_tasks()) return;
    std::vector<Task> tasks;
    {
        std::lock_guard lock(tasks_mutex_);
        tasks.swap(tasks_);
        has_tasks_.store(false, std::memory_order_relaxed);
    }
    for (Task& task : tasks)
        task(*this);
}

void Reactor::publish_gauges() {
    ReactorCell& cell = layout_.reactor(index_);
    cell.connections.store(connections_, std::memory_order_relaxed);
    cell.arena_bytes.store(transport_->used_bytes(), std::memory_order_relaxed);
    cell.compression_bytes.store(compression_.used_bytes(), std::memory_order_relaxed);
    cell.messages_received.store(messages_received_, std::memory_order_relaxed);
    cell.bytes_received.store(bytes_received_, std::memory_order_relaxed);
    cell.bytes_sent.store(bytes_sent_, std::memory_order_relaxed);
}

// -- Listeners and the table

void Reactor::set_endpoints(std::shared_ptr<const Endpoints> endpoints) {
    endpoints_ = std::move(endpoints);
}

void Reactor::add_listener(uint16_t endpoint, UniqueFd fd) {
    size_t place = 0;
    while (place < listeners_.size() && listeners_[place])
        ++place;
    if (place == listeners_.size()) listeners_.emplace_back();
    poller_.add(fd.get(), EPOLLIN, kListenerToken + place);
    listeners_[place] = std::make_unique<Listener>(Listener{std::move(fd), endpoint});
}

void Reactor::remove_listener(uint16_t endpoint) {
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
        if (connections_ + elsewhere >= limits_.connections)
            continue;  // closed at once: the honest answer to one too many
        open(std::move(fd), Address::from(storage), listener.endpoint);
    }
}

void Reactor::wake_listeners() {
    accept_again_ms_ = 0;
    for (size_t place = 0; place < listeners_.size(); ++place) {
        if (!listeners_[place] || !listeners_[place]->resting) continue;
        listeners_[place]->resting = false;
        poller_.add(listeners_[place]->fd.get(), EPOLLIN, kListenerToken + place);
    }
}

void Reactor::open(UniqueFd fd, const Address& peer, uint16_t endpoint) {
    int on = 1;
    setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const Endpoints::Endpoint& listener = (*endpoints_)[endpoint];
    std::unique_ptr<TlsStream> tls;
    if (listener.spec.tls) {
        // Without certificates that could be loaded, what was logged then, the connection is closed at once.
        if (listener.tls) tls = TlsStream::create(listener.tls, fd.get());
        if (!tls) return;
    }
    // The place is decided by the serial, so a taken place means that this serial is passed over.
    while (table_[next_serial_ & mask_])
        ++next_serial_;
    ConnectionId id = make_connection_id(index_, next_serial_++);
    if (!poller_.add(fd.get(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, id)) {
        SLUICE_WARNING("cannot watch a connection from %s: %s", peer.to_string().c_str(), strerror(errno));
        return;
    }
    auto& place = table_[id & mask_];
    place = std::make_unique<Connection>(id, std::move(fd), endpoint);
    ++connections_;
    ConnectionCell& cell = layout_.connection(id);
    cell.peer = peer;
    cell.queued_bytes.store(0, std::memory_order_relaxed);
    cell.submitted_bytes.store(0, std::memory_order_relaxed);
    cell.handled_bytes.store(0, std::memory_order_relaxed);
    cell.id.store(id, std::memory_order_release);
    place->tls = std::move(tls);
    if (listener.spec.kind == EndpointKind::kTcp)
        place->session.emplace<TcpSession>(endpoints_->share(endpoint));
    if (place->tls) {
        set_deadline(*place, limits_.handshake_ms);
    } else if (listener.spec.kind == EndpointKind::kHttp) {
        set_deadline(*place, limits_.head_ms);
    }
    place->readable = true;
    schedule(*place);
}

Connection* Reactor::find(ConnectionId id) const {
    Connection* connection = table_[id & mask_].get();
    return connection && connection->id == id ? connection : nullptr;
}

// -- Input

void Reactor::schedule(Connection& connection) {
    if (connection.scheduled) return;
    connection.scheduled = true;
    scheduled_.push_back(connection.id);
}

void Reactor::resume(Connection& connection) {
    connection.blocked = false;
    schedule(connection);
}

void Reactor::wait_for_resources(Connection& connection) {
    if (connection.waiting) return;
    connection.waiting = true;
    waiting_.push_back(connection.id);
}

void Reactor::retry_waiting() {
    size_t count = std::min(waiting_.size(), kRetriesPerTurn);
    retrying_.assign(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
    for (ConnectionId id : retrying_) {
        if (Connection* connection = find(id)) {
            connection->waiting = false;
            serve(*connection);
        }
    }
}

void Reactor::serve(Connection& connection) {
    switch (connection.phase) {
        case Phase::kOpen: break;
        case Phase::kFinishing:
        case Phase::kLingering: discard_input(connection); return;
        case Phase::kGone: settle(connection); return;
    }
    if (connection.blocked || connection.waiting || connection.stopping) return;
    if (connection.tls && !connection.tls->is_ready() && !shake_hands(connection)) return;
    ConnectionId id = connection.id;
    if (connection.pending) {
        std::unique_ptr<std::string> pending = std::move(connection.pending);
        if (consume(connection, *pending) != Progress::kMore) return;
    } else if (consume(connection, {}) != Progress::kMore) {
        return;
    }
    if (find(id) == &connection) read_from(connection);
}

/// Gives input to the session and keeps what it leaves. Anything but kMore: do not go on with this connection
/// now.
Progress Reactor::consume(Connection& connection, std::span<char> input) {
    Progress progress;
    do {
        progress = std::visit([&](auto& session) { return session.consume(*this, connection, input); },
                              connection.session);
    } while (progress == Progress::kSwitched);
    connection.progressed = false;
    switch (progress) {
        case Progress::kMore:
        case Progress::kClosed: return progress;
        case Progress::kWait: wait_for_resources(connection); break;
        case Progress::kBlocked: connection.blocked = true; break;
        case Progress::kSwitched: break;
    }
    if (!input.empty()) connection.pending = std::make_unique<std::string>(input.data(), input.size());
    return progress;
}

void Reactor::read_from(Connection& connection) {
    ConnectionId id = connection.id;
    size_t budget = kReadBudgetBytes;
    while (connection.readable && !connection.read_ended) {
        std::span<char> window =
            std::visit([](auto& session) { return std::span<char>(session.window()); }, connection.session);
        bool bulk = std::visit([](auto& session) { return session.receives_in_bulk(); }, connection.session);
        size_t scratch = bulk || !window.empty() ? kBulkScratchBytes : kScratchBytes;
        iovec parts[2] = {{window.data(), window.size()}, {scratch_.data(), scratch}};
        ssize_t got = connection.tls   ? receive_tls(connection, parts, 2)
                      : window.empty() ? recv(connection.fd.get(), scratch_.data(), scratch, MSG_DONTWAIT)
                                       : readv(connection.fd.get(), parts, 2);
        if (got < 0) {
            if (errno == EINTR) continue;
            if (errno == EAGAIN) {
                connection.readable = false;
                return;
            }
            abort(connection);
            return;
        }
        if (got == 0) {
            connection.read_ended = true;
            input_ended(connection);
            return;
        }
        size_t bytes = static_cast<size_t>(got);
        bytes_received_ += bytes;
        // A short read has emptied the socket, so the next event will tell; but not if the end is what
        // follows.
        if (bytes < window.size() + scratch && !connection.peer_shut && !connection.tls)
            connection.readable = false;
        connection.progressed = true;
        size_t direct = std::min(bytes, window.size());
        if (direct) std::visit([&](auto& session) { session.filled(direct); }, connection.session);
        if (direct == 0 || direct == window.size()) {
            if (consume(connection, {scratch_.data(), bytes - direct}) != Progress::kMore) return;
            if (find(id) != &connection || connection.phase != Phase::kOpen) return;
        } else {
            set_deadline(connection, limits_.body_ms);  // the message is on its way
        }
        if (bytes >= budget) {
            if (connection.readable) schedule(connection);
            return;
        }
        budget -= bytes;
    }
}

void Reactor::input_ended(Connection& connection) {
    std::visit([&](auto& session) { session.ended(*this, connection); }, connection.session);
}

void Reactor::discard_input(Connection& connection) {
    for (int i = 0; i < 16 && connection.readable; ++i) {
        ssize_t got = recv(connection.fd.get(), scratch_.data(), scratch_.size(), MSG_DONTWAIT);
        if (got > 0) continue;
        if (got < 0 && errno == EAGAIN) {
            connection.readable = false;
        } else if (got == 0) {
            connection.read_ended = true;
            connection.readable = false;
            if (connection.phase == Phase::kLingering) move_to(connection, Phase::kGone);
        } else {
            move_to(connection, Phase::kGone);
        }
        return;
    }
    if (connection.readable) schedule(connection);
}

// -- Output

void Reactor::wants_flush(Connection& connection) {
    if (connection.dirty || connection.phase >= Phase::kLingering) return;
    connection.dirty = true;
    dirty_.push_back(connection.id);
}

bool Reactor::may_queue(Connection& connection, size_t bytes) {
    // A message that is alone in the queue may be longer than the limit, or it could never be sent.
    if (connection.out.empty() || connection.out.bytes() + bytes <= limits_.queued_bytes + kQueueSlackBytes) {
        return true;
    }
    // Said the first, second, fourth, eighth … time, so that the log does not become the next problem.
    if (std::has_single_bit(++dropped_)) {
        SLUICE_WARNING(
            "dropped a message of %zu bytes: its client does not read, %zu bytes wait (queuedBytes: %llu); "
            "%llu dropped "
            "so far",
            bytes, connection.out.bytes(), static_cast<unsigned long long>(limits_.queued_bytes),
            static_cast<unsigned long long>(dropped_));
    }
    return false;
}

void Reactor::flush_dirty() {
    flushing_.swap(dirty_);
    for (ConnectionId id : flushing_) {
        Connection* connection = find(id);
        if (!connection) continue;
        connection->dirty = false;
        flush(*connection);
    }
    flushing_.clear();
}

void Reactor::flush(Connection& connection) {
    if (connection.phase >= Phase::kLingering) return;
    if (connection.writable && !connection.out.empty()) {
        uint64_t sent = 0;
        OutQueue::Flushed flushed = connection.tls ? connection.out.flush(*connection.tls, sent)
                                                   : connection.out.flush(connection.fd.get(), sent);
        bytes_sent_ += sent;
        if (flushed == OutQueue::Flushed::kBroken) {
            abort(connection);
            return;
        }
        if (flushed == OutQueue::Flushed::kBlocked) {
            connection.writable = false;
            if (sent || connection.write_deadline_ms == 0) {
                connection.write_deadline_ms = now_ms_ + limits_.write_ms;
                arm(connection);
            }
        } else {
            connection.write_deadline_ms = 0;
        }
    }
    layout_.connection(connection.id).queued_bytes.store(connection.out.bytes(), std::memory_order_relaxed);
    if (connection.phase == Phase::kFinishing && connection.out.empty())
        move_to(connection, Phase::kLingering);
}

// -- The end of a connection

void Reactor::move_to(Connection& connection, Phase phase) {
    assert(phase > connection.phase && "a connection's life has one direction");
    connection.phase = phase;
    switch (phase) {
        case Phase::kOpen: break;
        case Phase::kFinishing:
            hide(connection);
            connection.pending.reset();
            connection.deadline_ms = 0;
            wants_flush(connection);
            break;
        case Phase::kLingering:
            hide(connection);
            connection.write_deadline_ms = 0;
            if (connection.tls) connection.tls->close_notify();
            if (connection.read_ended) {
                move_to(connection, Phase::kGone);
                return;
            }
            shutdown(connection.fd.get(), SHUT_WR);
            connection.deadline_ms = now_ms_ + (shutting_down_ ? kLingerAtShutdownMs : kLingerMs);
            arm(connection);
            schedule(connection);
            break;
        case Phase::kGone:
            hide(connection);
            close_socket(connection);
            // Not settled here: callers may still look at the connection.
            schedule(connection);
            break;
    }
}

void Reactor::close_socket(Connection& connection) {
    TimerWheel::cancel(connection);
    connection.deadline_ms = connection.write_deadline_ms = 0;
    connection.out.clear();
    connection.pending.reset();
    connection.tls.reset();
    connection.fd.reset();
    std::visit([&](auto& session) { session.release(*this); }, connection.session);
}

/// What is left to do for a connection whose socket is closed. True when that was all.
bool Reactor::settle(Connection& connection) {
    if (connection.owes_close) {
        size_t bytes = connection.close_reason ? connection.close_reason->size() : 0;
        if (!can_deliver(connection, bytes)) {
            wait_for_resources(connection);
            return false;
        }
        connection.owes_close = false;
        Inbound message;
        message.kind = InboundKind::kClose;
        message.close_code = connection.close_code;
        if (connection.close_reason) message.payload = *connection.close_reason;
        deliver(connection, connection.worker, message, {});
    }
    if (connection.in_flight > 0 && !std::holds_alternative<HttpSession>(connection.session)) return false;
    destroy(connection);
    return true;
}

void Reactor::destroy(Connection& connection) {
    hide(connection);
    TimerWheel::cancel(connection);
    if (connection.worker != kNoWorker) transport_->unbind(connection.worker);
    --connections_;
    table_[connection.id & mask_].reset();
}

void Reactor::hide(Connection& connection) {
    ConnectionCell& cell = layout_.connection(connection.id);
    if (cell.id.load(std::memory_order_relaxed) == connection.id) cell.id.store(0, std::memory_order_release);
}

void Reactor::finish(Connection& connection) {
    if (connection.phase == Phase::kOpen) move_to(connection, Phase::kFinishing);
}

void Reactor::abort(Connection& connection) {
    if (connection.phase < Phase::kGone) move_to(connection, Phase::kGone);
}

void Reactor::set_close(Connection& connection, uint16_t code, std::string_view reason) {
    connection.close_code = code;
    connection.close_reason = reason.empty() ? nullptr : std::make_unique<std::string>(reason);
}

void Reactor::begin_shutdown() {
    if (shutting_down_) return;
    shutting_down_ = true;
    for (auto& listener : listeners_) {
        if (!listener) continue;
        poller_.remove(listener->fd.get());
        listener.reset();
    }
    for (auto& connection : table_) {
        if (connection) stop_connection(*connection);
    }
}

void Reactor::stop_connection(Connection& connection) {
    if (connection.phase != Phase::kOpen) return;
    if (auto* http = std::get_if<HttpSession>(&connection.session)) {
        http->stop_keeping_alive(*this, connection);
    } else if (connection.in_flight > 0) {
        connection.stopping = true;  // its messages are answered first, and no more are read
    } else if (auto* websocket = std::get_if<WebSocketSession>(&connection.session)) {
        connection.stopping = false;
        websocket->close(*this, connection, websocket::close_code::kGoingAway, "the server is going down");
    } else {
        finish(connection);
    }
}

// -- Deadlines

void Reactor::set_deadline(Connection& connection, uint32_t ms) {
    connection.deadline_ms = ms ? now_ms_ + ms : 0;
    arm(connection);
}

/// Deadlines move all the time, mostly away: the timer is touched only when it would fire too late, and looks
/// at the real deadline when it fires.
void Reactor::arm(Connection& connection) {
    uint64_t due_ms = connection.deadline_ms;
    if (connection.write_deadline_ms && (!due_ms || connection.write_deadline_ms < due_ms)) {
        due_ms = connection.write_deadline_ms;
    }
    if (due_ms && (!connection.armed() || connection.due_ms > due_ms)) wheel_.arm(connection, due_ms);
}

void Reactor::fire_timers() {
    while (TimerNode* node = wheel_.expire(now_ms_))
        expired(*static_cast<Connection*>(node));
}

void Reactor::expired(Connection& connection) {
    if (connection.write_deadline_ms && connection.write_deadline_ms <= now_ms_) {
        abort(connection);
        return;
    }
    if (connection.deadline_ms && connection.deadline_ms <= now_ms_) {
        connection.deadline_ms = 0;
        if (connection.phase == Phase::kLingering) {
            move_to(connection, Phase::kGone);
        } else if (connection.tls && !connection.tls->is_ready()) {
            abort(connection);
        } else if (connection.phase == Phase::kOpen) {
            std::visit([&](auto& session) { session.deadline(*this, connection); }, connection.session);
        }
    }
    if (connection.phase < Phase::kGone) arm(connection);
}

// -- To the workers

bool Reactor::can_deliver(Connection& connection, size_t inline_bytes) {
    if (!transport_->is_ready(connection.worker)) {
        // The old worker drains or has died. While it has messages of this connection, going on would
        // overtake them.
        if (connection.worker != kNoWorker && connection.in_flight > 0) return false;
        int worker = transport_->fewest_bound();
        if (worker == kNoWorker) return false;
        if (connection.worker != kNoWorker) transport_->unbind(connection.worker);
        connection.worker = static_cast<int16_t>(worker);
        transport_->bind(worker);
    }
    return transport_->accepts(connection.worker, inline_bytes);
}

void Reactor::deliver(Connection& connection, int worker, Inbound& message, Room room) {
    message.connection = connection.id;
    message.endpoint = connection.endpoint;
    message.secure = connection.tls != nullptr;
    ++connection.in_flight;
    ++messages_received_;
    transport_->deliver(worker, message, room);
}

// -- From the workers

void Reactor::on_finished(ConnectionId id) {
    Connection* connection = find(id);
    if (!connection || connection->in_flight == 0) return;
    if (--connection->in_flight > 0) return;
    if (connection->phase == Phase::kGone) {
        schedule(*connection);
    } else if (connection->stopping) {
        stop_connection(*connection);
    } else if (connection->read_ended && std::holds_alternative<TcpSession>(connection->session)) {
        schedule(*connection);
    }
}

void Reactor::on_lost(int worker, InboundKind kind, ConnectionId id, uint32_t request) {
    Connection* connection = find(id);
    if (connection && connection->in_flight > 0) --connection->in_flight;
    if (kind != InboundKind::kRequest) {
        SLUICE_WARNING("worker slot %d died while it handled a %s of connection %llu; it is lost", worker,
                       kind == InboundKind::kMessage ? "message"
                       : kind == InboundKind::kOpen  ? "opening"
                                                     : "close",
                       static_cast<unsigned long long>(id));
        if (!connection) return;
        schedule(*connection);
        if (connection->stopping && connection->in_flight == 0) stop_connection(*connection);
        return;
    }
    if (!connection) return;
    auto* http = std::get_if<HttpSession>(&connection->session);
    if (http && http->request() == request) http->worker_lost(*this, *connection);
}

int Reactor::worker_for_moved(InboundKind kind, ConnectionId id) {
    Connection* connection = find(id);
    if (!connection) return kNoConnectionLeft;
    if (kind == InboundKind::kRequest) {
        int worker = transport_->least_busy();
        auto* http = std::get_if<HttpSession>(&connection->session);
        if (!http || !http->awaits_response()) return kNoConnectionLeft;
        if (worker != kNoWorker) {
            owe_response(http->worker(), -1);
            http->moved_to(worker);
            owe_response(worker, +1);
        }
        return worker;
    }
    if (!transport_->is_ready(connection->worker)) {
        int worker = transport_->fewest_bound();
        if (worker == kNoWorker) return kNoWorker;
        transport_->unbind(connection->worker);
        connection->worker = static_cast<int16_t>(worker);
        transport_->bind(worker);
    }
    return connection->worker;
}

void Reactor::on_corrupt(int worker) {
    SLUICE_ERROR("worker slot %d has written invalid records; it is cut off and will be replaced", worker);
    if (report_corrupt) report_corrupt(worker);
}

void Reactor::worker_gone(int worker) {
    // Requests whose handler had returned but whose response was to come later.
    for (auto& connection : table_) {
        if (!connection || connection->phase != Phase::kOpen) continue;
        auto* http = std::get_if<HttpSession>(&connection->session);
        if (http && http->awaits_response() && http->worker() == worker && connection->in_flight == 0) {
            http->worker_lost(*this, *connection);
        }
    }
}

namespace {
Ref<SharedMessage> shared_message(const Command& command) {
    return SharedMessage::create(command.binary ? websocket::Opcode::kBinary : websocket::Opcode::kText,
                                 command.body);
}
}  // namespace

void Reactor::send_many(const Command& command) {
    Ref<SharedMessage> message = shared_message(command);
    for (size_t at = 0; at + sizeof(ConnectionId) <= command.head.size(); at += sizeof(ConnectionId)) {
        ConnectionId id;
        memcpy(&id, command.head.data() + at, sizeof id);
        Connection* connection = find(id);
        if (!connection || connection->phase != Phase::kOpen) continue;
        if (auto* session = std::get_if<WebSocketSession>(&connection->session)) {
            session->send_shared(*this, *connection, *message);
        }
        count_handled(*connection, command.body.size());
    }
}

/// Workers see what is on its way as submitted less handled; now it is queued, and seen there, or dropped.
void Reactor::count_handled(Connection& connection, size_t bytes) {
    ConnectionCell& cell = layout_.connection(connection.id);
    cell.queued_bytes.store(connection.out.bytes(), std::memory_order_relaxed);
    cell.handled_bytes.store(cell.handled_bytes.load(std::memory_order_relaxed) + bytes,
                             std::memory_order_relaxed);
}

void Reactor::publish(std::string_view topic, SharedMessage& message, ConnectionId except) {
    const std::vector<Connection*>* subscribers = topics_.subscribers(topic);
    if (!subscribers) return;
    for (Connection* connection : *subscribers) {
        if (connection->id == except) continue;
        if (auto* session = std::get_if<WebSocketSession>(&connection->session)) {
            session->send_shared(*this, *connection, message);
        }
    }
}

void Reactor::subscribe(Connection& connection, WebSocketSession& session, std::string_view topic) {
    topics_.subscribe(connection, session.subscriptions(), topic);
}

void Reactor::on_command(int worker, const Command& command, Ref<Payload> payload) {
    if (command.kind == CommandKind::kPublish) {
        Ref<SharedMessage> message = shared_message(command);
        publish(command.head, *message, command.connection);
        if (publish_to_others) publish_to_others(std::string(command.head), message, command.connection);
        return;
    }
    if (command.kind == CommandKind::kSendMany) {
        send_many(command);
        return;
    }
    Connection* connection = find(command.connection);
    if (!connection || connection->phase != Phase::kOpen) return;
    carry_out(*connection, worker, command, std::move(payload));
    if (!command.body.empty()) count_handled(*connection, command.body.size());
}

void Reactor::carry_out(Connection& connection, int worker, const Command& command, Ref<Payload> payload) {
    if (auto* http = std::get_if<HttpSession>(&connection.session)) {
        switch (command.kind) {
            case CommandKind::kRespond:
                http->respond(*this, connection, worker, command, std::move(payload));
                break;
            case CommandKind::kBody:
                http->respond_more(*this, connection, worker, command, std::move(payload));
                break;
            case CommandKind::kClose: abort(connection); break;
            default: break;
        }
    } else if (auto* websocket = std::get_if<WebSocketSession>(&connection.session)) {
        switch (command.kind) {
            case CommandKind::kSend: websocket->send(*this, connection, command, std::move(payload)); break;
            case CommandKind::kPing: websocket->ping(*this, connection, command.body); break;
            case CommandKind::kClose: websocket->close(*this, connection, command.code, command.body); break;
            case CommandKind::kSubscribe: subscribe(connection, *websocket, command.head); break;
            case CommandKind::kUnsubscribe:
                topics_.unsubscribe(websocket->subscriptions(), command.head);
                break;
            default: break;
        }
    } else if (auto* tcp = std::get_if<TcpSession>(&connection.session)) {
        switch (command.kind) {
            case CommandKind::kSend: tcp->send(*this, connection, command, std::move(payload)); break;
            case CommandKind::kClose: finish(connection); break;
            default: break;
        }
    }
}

}  // namespace sluice
