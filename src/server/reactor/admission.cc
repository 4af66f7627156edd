#include "server/reactor/admission.h"

#include <algorithm>
#include <bit>

#include "core/log.h"
#include "server/reactor/session.h"

namespace sluice {

namespace {
/// What it costs to bring a message to a worker, and its answer back.
constexpr uint32_t kMessageUs = 5;
/// What bytes cost, each time that they are received or sent.
constexpr size_t kBytesPerUs = 4096;
/// As many as a connection's number of its queue can say, beside none.
constexpr size_t kMostQueues = UINT8_MAX;

/// Whether what comes next on the connection begins a request.
bool is_request(const Connection& connection) {
    return connection.phase == Phase::kOpen && connection.session->begins_request() &&
           !(connection.tls() && !connection.tls()->is_ready());
}
}  // namespace

Progress wait_for(Connection& connection, Resource resource) {
    connection.awaits = resource;
    return Progress::kWait;
}

Admission::Admission(const SharedLayout& layout, const ConnectionTable& table, Transport& transport,
                     const uint64_t& now_ms, uint32_t queue_ms)
    : costs_(layout.flow_costs()),
      table_(table),
      transport_(transport),
      now_ms_(now_ms),
      has_one_worker_(layout.shape().is_base()),
      queue_ms_(queue_ms) {
    const size_t workers = std::min<size_t>(layout.shape().worker_slots, kMostQueues - kOfWorkers);
    for (size_t i = 0; i < kOfWorkers; ++i)
        queues_.push_back(
            {FairQueue(costs_, i == static_cast<size_t>(Resource::kWorker) ? queue_ms : 0), kNoWorker});
    for (size_t i = 0; i < workers && !has_one_worker_; ++i)
        queues_.push_back({FairQueue(costs_), static_cast<int>(i)});
}

size_t Admission::queue_of_worker(int worker) const {
    if (has_one_worker_ || worker == kNoWorker) return static_cast<size_t>(Resource::kWorker);
    return kOfWorkers + static_cast<size_t>(worker) % (queues_.size() - kOfWorkers);
}

size_t Admission::queue_of(const Connection& connection) const {
    if (connection.awaits == Resource::kItsWorker) return queue_of_worker(connection.worker);
    return static_cast<size_t>(connection.awaits);
}

/// Whether it is this connection's turn. Whatever it has waited for, it may have a worker, too: if it had to
/// wait for that anew, it would go from one queue to the other and back.
bool Admission::is_tried(const Connection& connection) {
    return connection.queue != 0 && !connection.waiting;
}

bool Admission::others_wait(const Connection& connection, int worker) const {
    if (waiting_ == 0 || is_tried(connection)) return false;
    const auto has_others = [&](size_t queue) {
        return queues_[queue].items.size() > (connection.queue == queue + 1 ? 1 : 0);
    };
    return has_others(static_cast<size_t>(Resource::kWorker)) || has_others(queue_of_worker(worker));
}

bool Admission::takes_request(Connection& connection, int worker, size_t inline_bytes) {
    connection.awaits = Resource::kWorker;
    return worker != kNoWorker && !others_wait(connection, worker) &&
           transport_.accepts_request(
               worker, connection.client_key(), inline_bytes,
               !queues_[static_cast<size_t>(Resource::kWorker)].items.has_none_but(connection.client_key()));
}

bool Admission::takes_message(Connection& connection, size_t inline_bytes) {
    connection.awaits = Resource::kItsWorker;
    return !others_wait(connection, connection.worker) &&
           transport_.accepts_message(connection.worker, connection.client_key(), inline_bytes);
}

bool Admission::may_pipeline(const Connection& connection, int worker) const {
    if (waiting_ == 0) return true;
    const uint64_t client = connection.client_key();
    return queues_[static_cast<size_t>(Resource::kWorker)].items.has_none_but(client) &&
           queues_[queue_of_worker(worker)].items.has_none_but(client);
}

bool Admission::has_to_wait(const Connection& connection) const {
    // Whoever has had an answer, and has sent nothing since, has no request that could be refused.
    const bool has_sent = connection.readable || connection.pending || connection.stream();
    // Whose request it is, a proxy says in its head.
    return waiting_ > 0 && has_sent && !connection.trusted &&
           !queues_[static_cast<size_t>(Resource::kWorker)].items.empty() && is_request(connection);
}

void Admission::begins(Connection& connection, size_t bytes) {
    charge(connection, kMessageUs + static_cast<uint32_t>(bytes / kBytesPerUs));
    if (connection.queue == 0) return;
    queues_[connection.queue - 1u].items.begin(connection.id, now_ms_ * 1000);
    connection.queue = 0;
    connection.waiting = false;
    --waiting_;
}

void Admission::sent(const Connection& connection, size_t bytes) const {
    if (bytes >= kBytesPerUs) charge(connection, static_cast<uint32_t>(bytes / kBytesPerUs));
}

void Admission::charge(const Connection& connection, uint32_t cost_us) const {
    costs_.charge(connection.client_key(), cost_us, now_ms_);
    costs_.charge(FlowCosts::of_connection(connection.id), cost_us, now_ms_);
}

/// Now, and later than whoever came before.
uint64_t Admission::stamp_us() {
    last_us_ = std::max(last_us_ + 1, now_ms_ * 1000);
    return last_us_;
}

void Admission::wait(Connection& connection) {
    if (connection.waiting) return;
    // Who waits for the end of his own messages stands in nobody's way.
    if (connection.throttled) {
        leave(connection);
        connection.waiting = true;
        return;
    }
    const size_t queue = queue_of(connection);
    uint64_t since_us = 0;
    if (connection.queue != 0 && connection.queue - 1u != queue) {
        queues_[connection.queue - 1u].items.remove(connection.id, &since_us);
        connection.queue = 0;
        --waiting_;
    }
    connection.waiting = true;
    if (connection.queue != 0) return;
    const uint64_t now_us = stamp_us();
    // The last of the memory for output is for those who are known; they need not be looked for among all
    // others.
    const bool is_later =
        queue == static_cast<size_t>(Resource::kOutMemory) ? !connection.known : connection.is_backlogged;
    queues_[queue].items.add({connection.client_key(), connection.id, is_later}, connection.id,
                             since_us ? since_us : now_us, now_us);
    connection.queue = static_cast<uint8_t>(queue + 1);
    ++waiting_;
    came_ += queue == static_cast<size_t>(Resource::kWorker) && is_request(connection);
}

uint64_t Admission::waits_since_us(const Connection& connection, Resource resource) const {
    const bool waits = connection.queue == static_cast<size_t>(resource) + 1;
    return waits ? queues_[static_cast<size_t>(resource)].items.came_us(connection.id) : 0;
}

void Admission::leave(Connection& connection) {
    connection.waiting = false;
    if (connection.queue == 0) return;
    queues_[connection.queue - 1u].items.remove(connection.id);
    connection.queue = 0;
    --waiting_;
}

Admission::Waiting Admission::waiting() const {
    static_assert(kAwaitedResources.size() == static_cast<size_t>(Resource::kCount));
    Waiting all;
    if (waiting_ == 0) return all;
    for (size_t queue = 0; queue < queues_.size(); ++queue) {
        const FairQueue& items = queues_[queue].items;
        if (items.empty()) continue;
        // Those who wait for their own worker have a queue for each.
        Line& line = all[queue < kOfWorkers ? queue : static_cast<size_t>(Resource::kItsWorker)];
        line.count += items.size();
        line.since_us = line.since_us ? std::min(line.since_us, items.oldest_us()) : items.oldest_us();
    }
    return all;
}

bool Admission::has_room(const Queue& queue) const {
    if (queue.worker != kNoWorker) return transport_.takes_messages(queue.worker);
    return &queue != &queues_[static_cast<size_t>(Resource::kWorker)] ||
           transport_.takes_requests(queue.items.flows() > 1);
}

void Admission::count_refused() {
    // Logged the first, second, fourth, eighth … time.
    if (!std::has_single_bit(++refused_)) return;
    SLUICE_WARNING(
        "refused a request with 503: %zu wait for a worker, and all that begin have waited longer than %.1f "
        "s "
        "(queueSeconds); %llu such so far",
        queues_[static_cast<size_t>(Resource::kWorker)].items.size(), queue_ms_ / 1000.0,
        static_cast<unsigned long long>(refused_));
}

/// Of those queues that have somebody to try, the one where he is due first; nullptr: none.
Admission::Queue* Admission::next_queue(uint64_t now_us) {
    Queue* first = nullptr;
    for (Queue& queue : queues_) {
        if (queue.is_closed || !queue.items.has_next()) continue;
        queue.items.next(now_us);
        if (!first || queue.items.next_due_us() < first->items.next_due_us()) first = &queue;
    }
    return first;
}

}  // namespace sluice
