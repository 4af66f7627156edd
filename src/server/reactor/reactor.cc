#include "server/reactor/reactor.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "core/clock.h"
#include "io/doorbell.h"
#include "server/config/endpoints.h"
#include "server/reactor/poll_token.h"
#include "server/seam/out_memory.h"

namespace sluice {

namespace {
/// While somebody waits for memory, poll this often: no doorbell rings for it. For room in a ring one rings.
constexpr int kRetryMs = 1;
/// How many waiting connections are retried in one turn.
constexpr size_t kRetriesPerTurn = 512;
/// Wakes up at least this often: workers are not trusted to ring.
constexpr int kLongestSleepMs = 1000;
/// Bytes of bodies written to files in one turn: keeps turns short, though files may go to a disk.
constexpr size_t kBodyBytesPerTurn = 4u << 20;
/// So many events are taken out of the poller in one turn: whoever comes behind a crowd is to be seen soon.
constexpr size_t kEventsPerTurn = 4096;
/// So long a turn serves those who are deferred (see ServeList), and one of them at least.
constexpr uint64_t kDeferredUs = 250;
}  // namespace

Reactor::Reactor(const Wiring& wiring)
    : layout_(*wiring.layout),
      index_(wiring.index),
      doorbell_(wiring.doorbell),
      parts_(layout_, index_, wiring.limits, *wiring.transport, *wiring.sessions, wiring.temporary_folder) {
    parts_.poller.add(doorbell_, EPOLLIN, PollToken(PollToken::Kind::kDoorbell, 0).bits());
}

int Reactor::sleep_ms(int timeout_ms) const {
    int wait_ms = timeout_ms < 0 ? kLongestSleepMs : std::min(timeout_ms, kLongestSleepMs);
    if (parts_.serve_list.has_scheduled() || parts_.output.has_work() || parts_.udp.wants_flush()) return 0;
    if (parts_.admission.has_waiting() || parts_.workers.has_cancellations() ||
        parts_.questions.has_answers())
        wait_ms = std::min(wait_ms, kRetryMs);
    if (parts_.accepting.is_resting()) wait_ms = std::min(wait_ms, static_cast<int>(Accepting::kPauseMs));
    if (relieve_ms_ >= 0) wait_ms = std::min(wait_ms, relieve_ms_);
    return wait_ms;
}

void Reactor::turn(int timeout_ms) {
    watched_ready_ = false;
    parts_.commons.body_file_bytes = kBodyBytesPerTurn;
    // What handlers in this process have sent goes out before the wait, which saves a turn without a wait.
    const bool has_served = std::exchange(commanded_, false);
    if (has_served) {
        look_at_clocks();
        serve_and_send(true);
    }
    int wait_ms = sleep_ms(timeout_ms);
    auto& sleeping = layout_.reactor(index_).sleeping;
    if (wait_ms > 0) {
        const uint64_t now_ms = has_served ? parts_.commons.now_ms : monotonic_ms();
        wait_ms = static_cast<int>(parts_.deadlines.wait_ms(now_ms, static_cast<uint64_t>(wait_ms)));
        parts_.workers.await_progress();
        parts_.commons.transport.await_room();
        Doorbell::about_to_sleep(sleeping);
        if (parts_.commons.transport.pending() || tasks_.has_tasks()) wait_ms = 0;
    }
    const auto events = parts_.poller.wait(wait_ms);
    Doorbell::awake(sleeping);
    look_at_clocks();
    dispatch_all(events);
    // Tasks are taken before commands are polled, and run after: a publication among the tasks finds the
    // subscriptions that its worker has made before it.
    const std::vector<TaskQueue::Task> tasks = tasks_.take();
    parts_.commons.transport.poll(parts_.from_workers);
    for (const TaskQueue::Task& task : tasks)
        task();
    serve_and_send(!has_served);
}

void Reactor::look_at_clocks() {
    parts_.commons.now_ms = monotonic_ms();
    // By the last tick of the clock, which is cheaper to ask.
    parts_.commons.date = date_cache_.at(time(nullptr));
}

/// Serves whom events or commands concern, and those that wait or are deferred, and sends what that has left.
void Reactor::serve_and_send(bool also_waiting) {
    const auto serve = [this](Connection& connection) {
        const ConnectionId id = connection.id;
        parts_.input.serve(connection);
        if (Connection* served = parts_.table.find(id)) parts_.commons.census.look(*served);
    };
    const auto serve_or_wait = [&](Connection& connection) {
        if (connection.phase == Phase::kOpen && !connection.blocked &&
            parts_.admission.has_to_wait(connection)) {
            connection.awaits = Resource::kWorker;
            connection.session->waits_unread(parts_.host, connection);
            parts_.admission.wait(connection);
            parts_.commons.census.look(connection);
        } else {
            serve(connection);
        }
    };
    parts_.serve_list.serve_scheduled(serve_or_wait);
    if (also_waiting && parts_.serve_list.has_deferred()) {
        const uint64_t until_us = monotonic_us() + kDeferredUs;
        parts_.serve_list.serve_deferred(serve_or_wait, [=] { return monotonic_us() < until_us; });
    }
    // After those who have just come: whoever is due before the others has what there is.
    if (also_waiting && parts_.admission.has_waiting())
        parts_.admission.serve_waiting(kRetriesPerTurn, serve);
    parts_.admission.refuse_waiting(
        [this](Connection& connection) { connection.session->refuse(parts_.host, connection); });
    if (parts_.accepting.is_resting()) parts_.accepting.wake();
    while (Connection* connection = parts_.deadlines.next_due(parts_.commons.now_ms))
        parts_.life.expired(*connection);
    parts_.output.flush();
    parts_.reclaiming.free_memory();
    parts_.reclaiming.free_arena();
    relieve_ms_ = parts_.commons.transport.relieve(parts_.commons.now_ms);
    parts_.udp.flush();
    if (parts_.workers.has_cancellations()) parts_.workers.send_cancellations();
    if (parts_.questions.has_answers()) parts_.questions.send_answers(parts_.commons.transport);
    parts_.commons.transport.flush();
    publish_gauges();
}

/// These events, and more that are ready, until enough have come that are to be served in this turn.
void Reactor::dispatch_all(std::span<const epoll_event> events) {
    told_.clear();
    for (size_t taken = 0;;) {
        for (const epoll_event& event : events)
            dispatch(event);
        taken += events.size();
        if (events.size() < Poller::kMaxEvents || taken >= kEventsPerTurn ||
            parts_.serve_list.due() >= Poller::kMaxEvents)
            break;
        events = parts_.poller.wait(0);
    }
}

/// Whether the poller has told of it in this turn. It tells each time while there is more, and a turn takes
/// one batch.
bool Reactor::is_told_again(PollToken token) {
    if (std::find(told_.begin(), told_.end(), token.bits()) != told_.end()) return true;
    told_.push_back(token.bits());
    return false;
}

void Reactor::dispatch(const epoll_event& event) {
    const PollToken token(event.data.u64);
    switch (token.kind()) {
        case PollToken::Kind::kConnection:
            if (Connection* connection = parts_.table.find(token.connection()))
                connection_event(*connection, event.events);
            break;
        case PollToken::Kind::kDoorbell: Doorbell::drain(doorbell_); break;
        case PollToken::Kind::kWatched: watched_ready_ = true; break;
        case PollToken::Kind::kListener:
            if (!is_told_again(token)) parts_.accepting.ready(token.number());
            break;
        case PollToken::Kind::kUdp:
            if (!is_told_again(token))
                parts_.udp.ready(token.number(), event.events, parts_.commons.transport);
            break;
        case PollToken::Kind::kBodyWriter:
            if (Connection* waiting =
                    parts_.table.find(parts_.commons.body_streams.ready(static_cast<int>(token.number()))))
                parts_.host.resume(*waiting);
            break;
        case PollToken::Kind::kDescriptor:
            ready_.push_back({static_cast<int>(token.number()), event.events});
            break;
    }
}

void Reactor::connection_event(Connection& connection, uint32_t events) {
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP)) connection.readable = true;
    if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) connection.peer_shut = true;
    const bool crosswise = connection.tls() && connection.tls()->waits_crosswise();
    if (crosswise) connection.readable = true;
    if (crosswise || (events & (EPOLLOUT | EPOLLHUP | EPOLLERR))) {
        parts_.output.takes_more(connection);
    }
    // While a response is awaited the connection is not read, so only this event tells that the client is
    // gone.
    if (events & (EPOLLHUP | EPOLLERR)) connection.hung_up = true;
    if (connection.hung_up && connection.blocked) {
        parts_.life.abort(connection);
    } else if ((events & EPOLLRDHUP) && connection.blocked && connection.phase == Phase::kOpen) {
        connection.session->peer_left(parts_.host, connection);
    }
    parts_.serve_list.schedule(connection);
}

void Reactor::watch(int fd) {
    parts_.poller.add(fd, EPOLLIN, PollToken(PollToken::Kind::kWatched, 0).bits());
}

void Reactor::ignore(int fd) {
    parts_.poller.remove(fd);
}

void Reactor::rest_listeners() {
    parts_.accepting.rest_all();
}

bool Reactor::watch_once(int fd, uint32_t events) {
    return parts_.poller.watch_once(
        fd, events, PollToken(PollToken::Kind::kDescriptor, static_cast<uint64_t>(fd)).bits());
}

void Reactor::take_ready(std::vector<ReadyFd>& ready) {
    ready.clear();
    ready.swap(ready_);
}

void Reactor::post(TaskQueue::Task task) {
    tasks_.add(std::move(task));
    Doorbell::ring_if_asleep(layout_.reactor(index_).sleeping, doorbell_);
}

void Reactor::set_endpoints(std::shared_ptr<const Endpoints> endpoints) {
    parts_.commons.endpoints = std::move(endpoints);
}

void Reactor::add_listener(uint16_t endpoint, UniqueFd fd) {
    if ((*parts_.commons.endpoints)[endpoint].spec.kind == EndpointKind::kUdp) {
        parts_.udp.add(endpoint, std::move(fd));
    } else {
        parts_.accepting.add(endpoint, std::move(fd));
    }
}

void Reactor::remove_listener(uint16_t endpoint) {
    parts_.udp.remove(endpoint);
    parts_.accepting.remove(endpoint);
}

void Reactor::begin_shutdown() {
    if (parts_.commons.shutting_down) return;
    parts_.commons.shutting_down = true;
    parts_.udp.stop_receiving();
    parts_.accepting.remove_all();
    parts_.table.for_each([this](Connection& connection) { parts_.life.stop(connection); });
}

void Reactor::publish_figures() {
    ReactorFigures& figures = parts_.commons.figures;
    const auto publish = [](std::atomic<uint64_t>& gauge, uint64_t value) {
        if (gauge.load(std::memory_order_relaxed) != value) gauge.store(value, std::memory_order_relaxed);
    };
    publish(figures.streams, parts_.table.streams());
    publish(figures.topics, parts_.publishing.topics().size());
    publish(figures.subscriptions, parts_.publishing.topics().subscriptions());
    const Admission::Waiting waiting = parts_.admission.waiting();
    for (size_t resource = 0; resource < kAwaitedResources.size(); ++resource) {
        publish(figures.waiting[resource], waiting[resource].count);
        publish(figures.waits_since_us[resource], waiting[resource].since_us);
    }
}

void Reactor::publish_gauges() {
    publish_figures();
    ReactorCell& cell = layout_.reactor(index_);
    cell.connections.store(parts_.table.clients(), std::memory_order_relaxed);
    cell.arena_bytes.store(parts_.commons.transport.used_bytes(), std::memory_order_relaxed);
    cell.compression_bytes.store(parts_.commons.compression.used_bytes(), std::memory_order_relaxed);
    cell.subscription_bytes.store(parts_.publishing.topics().budget().used(), std::memory_order_relaxed);
    cell.body_streams.store(parts_.commons.body_streams.count(), std::memory_order_relaxed);
    cell.handshakes.store(parts_.commons.handshakes.used(), std::memory_order_relaxed);
    cell.open_files.store(parts_.files.count(), std::memory_order_relaxed);
    const Totals totals{parts_.workers.messages_delivered() + parts_.udp.received(),
                        parts_.input.bytes_received() + parts_.udp.received_bytes(),
                        parts_.output.bytes_sent() + parts_.udp.sent_bytes()};
    HistogramCell::add(cell.messages_received, totals.messages_received - published_.messages_received);
    HistogramCell::add(cell.bytes_received, totals.bytes_received - published_.bytes_received);
    HistogramCell::add(cell.bytes_sent, totals.bytes_sent - published_.bytes_sent);
    published_ = totals;
    OutMemory::publish();
    cell.out_bytes.store(OutMemory::total_with_extents(), std::memory_order_relaxed);
    cell.share_bytes.store(parts_.commons.out_budget.share_of_one(), std::memory_order_relaxed);
}

}  // namespace sluice
