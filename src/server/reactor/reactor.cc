#include "server/reactor/reactor.h"

#include <algorithm>

#include "base/clock.h"
#include "io/doorbell.h"
#include "server/reactor/reactor_tokens.h"
#include "server/seam/out_memory.h"

namespace sluice {

namespace {
/// Where bytes are received that have no message to go to yet.
constexpr size_t kScratchBytes = 65536;
/// While something waits for memory or for room in a ring, look again this often: nobody rings for that.
constexpr int kRetryMs = 1;
/// Wake up now and then whatever happens: workers are not trusted to ring.
constexpr int kLongestSleepMs = 1000;
/// Of all bodies together: a turn is over before anybody notices, though the files may go to a disk.
constexpr size_t kBodyBytesPerTurn = 4u << 20;
}  // namespace

Reactor::Reactor(const Wiring& wiring)
    : SessionHost(commons_),
      layout_(*wiring.layout),
      index_(wiring.index),
      transport_(wiring.transport),
      doorbell_(wiring.doorbell),
      limits_(wiring.limits),
      commons_(layout_, index_, limits_, *transport_, *wiring.sessions, poller_, wiring.temporary_folder),
      wheel_(now_ms_),
      files_(std::max<size_t>(1, limits_.open_files / layout_.shape().serving())),
      udp_(layout_, index_, limits_, poller_),
      table_(layout_.shape().cells),
      mask_(layout_.shape().cells - 1),
      next_serial_(wall_clock_us()),
      scratch_(kScratchBytes),
      owed_(layout_.shape().worker_slots),
      names_(layout_.shape().worker_slots, "a worker") {
    poller_.add(doorbell_, EPOLLIN, kDoorbellToken);
}

Reactor::~Reactor() {
    destroying_ = true;
    for (auto& connection : table_) {
        if (!connection) continue;
        connection->owes_close = false;
        connection->session->cut(*this, *connection);
        connection->session->release(*this);
        destroy(*connection);
    }
}

void Reactor::turn(int timeout_ms) {
    watched_ready_ = false;
    commons_.body_file_bytes = kBodyBytesPerTurn;
    int wait_ms = timeout_ms < 0 ? kLongestSleepMs : std::min(timeout_ms, kLongestSleepMs);
    if (!scheduled_.empty() || !dirty_.empty() || udp_.wants_flush()) {
        wait_ms = 0;
    } else if (!waiting_.empty() || !cancellations_.empty() || questions_.has_answers()) {
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
    commons_.date = date_cache_.at(static_cast<int64_t>(wall_clock_us() / 1'000'000));

    for (const epoll_event& event : events) {
        uint64_t token = event.data.u64;
        if (token == kDoorbellToken) {
            Doorbell::drain(doorbell_);
        } else if (token == kWatchToken) {
            watched_ready_ = true;
        } else if (token >= kFdToken) {
            ready_.push_back({static_cast<int>(token - kFdToken), event.events});
        } else if (token >= kWriterToken) {
            Connection* waiting = find(commons_.body_streams.ready(static_cast<int>(token - kWriterToken)));
            if (waiting) resume(*waiting);
        } else if (token >= kUdpToken) {
            udp_.ready(token - kUdpToken, event.events, *transport_);
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
            if (event.events & (EPOLLHUP | EPOLLERR)) connection->hung_up = true;
            if (connection->hung_up && connection->blocked) {
                abort(*connection);
            } else if ((event.events & EPOLLRDHUP) && connection->blocked) {
                if (connection->phase == Phase::kOpen) connection->session->peer_left(*this, *connection);
            }
            schedule(*connection);
        }
    }
    // In this order: a publication of another reactor that is among the tasks finds the subscriptions that
    // its worker has made before.
    std::vector<Task> tasks = take_tasks();
    transport_->poll(*this);
    for (Task& task : tasks)
        task(*this);
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
    udp_.flush();
    if (!cancellations_.empty()) send_cancellations();
    if (questions_.has_answers()) questions_.send_answers(*transport_);
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

std::vector<Reactor::Task> Reactor::take_tasks() {
    std::vector<Task> tasks;
    if (!has_tasks()) return tasks;
    std::lock_guard lock(tasks_mutex_);
    tasks.swap(tasks_);
    has_tasks_.store(false, std::memory_order_relaxed);
    return tasks;
}

void Reactor::publish_gauges() {
    ReactorCell& cell = layout_.reactor(index_);
    cell.connections.store(connections_ - streams_, std::memory_order_relaxed);
    cell.arena_bytes.store(transport_->used_bytes(), std::memory_order_relaxed);
    cell.compression_bytes.store(commons_.compression.used_bytes(), std::memory_order_relaxed);
    cell.messages_received.store(messages_received_ + udp_.received(), std::memory_order_relaxed);
    cell.bytes_received.store(bytes_received_ + udp_.received_bytes(), std::memory_order_relaxed);
    cell.bytes_sent.store(bytes_sent_ + udp_.sent_bytes(), std::memory_order_relaxed);
    OutMemory::publish();
    cell.out_bytes.store(OutMemory::total(), std::memory_order_relaxed);
}

}  // namespace sluice
