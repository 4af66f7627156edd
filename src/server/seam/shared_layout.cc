#include "server/seam/shared_layout.h"

#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/random.h>

#include "server/config/config.h"
#include "server/seam/reactor_figures.h"

namespace sluice {

namespace {
constexpr size_t kPage = 4096;
constexpr size_t page_round(size_t bytes) {
    return (bytes + kPage - 1) & ~(kPage - 1);
}
/// Punching a hole zeroes the memory without touching unused pages.
void zero(char* place, size_t bytes) {
    const bool whole_pages = bytes % kPage == 0 && reinterpret_cast<uintptr_t>(place) % kPage == 0;
    if (!whole_pages || madvise(place, bytes, MADV_REMOVE) != 0) memset(place, 0, bytes);
}
}  // namespace

SharedLayout::Shape SharedLayout::shape_for(const ServerConfig& config) {
    Shape shape;
    shape.mode = static_cast<uint32_t>(config.mode);
    shape.service_slots = config.service_slots() + kSpareServiceSlots;
    // Each slot has a reactor there.
    if (config.mode == Mode::kBase)
        shape.service_slots = std::min(shape.service_slots, kMaxReactors - 2 * config.workers);
    shape.worker_slots = 2 * config.workers + shape.service_slots;
    shape.reactors = config.mode == Mode::kBase ? shape.worker_slots : config.reactors;
    // Twice the limit, so that a free place is found at once; every reactor may get all of the connections.
    shape.cells = std::bit_ceil(2 * config.limits.connections);
    shape.ring_bytes = std::bit_ceil(config.limits.ring_bytes);
    shape.arena_bytes =
        config.mode == Mode::kBase ? 0 : page_round(config.limits.arena_bytes / config.reactors);
    shape.out_bytes = page_round(config.limits.out_bytes);
    shape.attached_bytes = page_round(config.limits.attached_total_bytes / shape.serving());
    return shape;
}

SharedLayout::SharedLayout(SharedMemory memory, const Shape& shape)
    : memory_(std::move(memory)), shape_(shape) {
    compute();
}

void SharedLayout::compute() {
    size_t at = 0;
    auto place = [&](size_t bytes) {
        size_t begin = at;
        at += page_round(bytes);
        return begin;
    };
    size_t pairs = size_t{shape_.reactors} * shape_.worker_slots;
    server_at_ = place(sizeof(ServerCell));
    reactors_at_ = place(sizeof(ReactorCell) * shape_.reactors);
    workers_at_ = place(sizeof(WorkerCell) * shape_.worker_slots);
    cells_at_ = place(sizeof(ConnectionCell) * shape_.cells * shape_.reactors);
    addresses_at_ = place(address_bytes() * shape_.reactors);
    flow_costs_at_ = place(sizeof(CostCell) * FlowCosts::cells_for(kFlowCells));
    proxies_at_ = place(sizeof(Address) * shape_.cells * shape_.reactors);
    paths_at_ = place(sizeof(PathCell) * shape_.cells * shape_.reactors);
    attachments_at_ = place(sizeof(AttachmentCell) * shape_.cells * shape_.reactors);
    attachment_blocks_at_ = place(shape_.attached_bytes * shape_.reactors);
    figures_at_ = place(sizeof(ReactorFigures) * shape_.reactors);
    requests_at_ = place(sizeof(RequestCells) * shape_.reactors);
    handlers_at_ = place(sizeof(HandlerCells) * shape_.worker_slots);
    request_boards_at_ = place(sizeof(RequestBoard) * shape_.worker_slots);
    metrics_at_ = place(kMetricsBytes);
    profile_desks_at_ = place(sizeof(ProfileDesk) * shape_.worker_slots);
    ring_headers_at_ = place(sizeof(RingHeader) * 2 * pairs);
    rings_at_ = place(shape_.ring_bytes * 2 * pairs);
    arenas_at_ = place(shape_.arena_bytes * shape_.reactors);
    outs_at_ = place(shape_.out_bytes * shape_.worker_slots);
    parked_at_ = place(shape_.parked_bytes() * shape_.worker_slots);
    total_ = at;
}

SharedLayout SharedLayout::create(const Shape& wanted) {
    Shape shape = wanted;
    for (uint64_t* number : {&shape.secret, &shape.trace_high, &shape.trace_low})
        if (getrandom(number, sizeof *number, 0) != sizeof *number) return {};
    SharedLayout measure({}, shape);
    SharedMemory memory = SharedMemory::create("sluice", measure.total_);
    if (!memory) return {};
    return SharedLayout(std::move(memory), shape);
}

SharedLayout SharedLayout::attach(UniqueFd fd, const Shape& shape) {
    SharedMemory memory = SharedMemory::attach(std::move(fd));
    if (!memory) return {};
    SharedLayout layout(std::move(memory), shape);
    if (layout.total_ != layout.memory_.size()) return {};
    return layout;
}

ServerCell& SharedLayout::server() const {
    return *reinterpret_cast<ServerCell*>(memory_.data() + server_at_);
}

ReactorFigures& SharedLayout::figures(unsigned reactor) const {
    assert(reactor < shape_.reactors);
    return reinterpret_cast<ReactorFigures*>(memory_.data() + figures_at_)[reactor];
}

RequestCells& SharedLayout::requests(unsigned reactor) const {
    assert(reactor < shape_.reactors);
    return reinterpret_cast<RequestCells*>(memory_.data() + requests_at_)[reactor];
}

HandlerCells& SharedLayout::handlers(unsigned slot) const {
    assert(slot < shape_.worker_slots);
    return reinterpret_cast<HandlerCells*>(memory_.data() + handlers_at_)[slot];
}

RequestBoard& SharedLayout::request_board(unsigned slot) const {
    assert(slot < shape_.worker_slots);
    return reinterpret_cast<RequestBoard*>(memory_.data() + request_boards_at_)[slot];
}

std::span<char> SharedLayout::metrics() const {
    return {memory_.data() + metrics_at_, kMetricsBytes};
}

ReactorCell& SharedLayout::reactor(unsigned index) const {
    assert(index < shape_.reactors);
    return reinterpret_cast<ReactorCell*>(memory_.data() + reactors_at_)[index];
}

WorkerCell& SharedLayout::worker(unsigned slot) const {
    assert(slot < shape_.worker_slots);
    return reinterpret_cast<WorkerCell*>(memory_.data() + workers_at_)[slot];
}

Address& SharedLayout::proxy(ConnectionId id) const {
    return reinterpret_cast<Address*>(memory_.data() + proxies_at_)[cell_index(id)];
}

PathCell& SharedLayout::path(ConnectionId id) const {
    return reinterpret_cast<PathCell*>(memory_.data() + paths_at_)[cell_index(id)];
}

AttachmentCell& SharedLayout::attachment(ConnectionId id) const {
    return reinterpret_cast<AttachmentCell*>(memory_.data() + attachments_at_)[cell_index(id)];
}

std::span<AttachmentBlock> SharedLayout::attachment_blocks(unsigned reactor) const {
    if (reactor >= shape_.reactors) return {};
    return {reinterpret_cast<AttachmentBlock*>(memory_.data() + attachment_blocks_at_ +
                                               shape_.attached_bytes * reactor),
            shape_.attached_bytes / sizeof(AttachmentBlock)};
}

SharedLayout::Ring SharedLayout::ring(bool inbound, unsigned reactor, unsigned slot) const {
    assert(reactor < shape_.reactors && slot < shape_.worker_slots);
    size_t index = (size_t{reactor} * shape_.worker_slots + slot) * 2 + (inbound ? 0 : 1);
    return {reinterpret_cast<RingHeader*>(memory_.data() + ring_headers_at_) + index,
            memory_.data() + rings_at_ + shape_.ring_bytes * index};
}

RingProducer SharedLayout::in_producer(unsigned reactor, unsigned slot) const {
    Ring place = ring(true, reactor, slot);
    return RingProducer(place.header, place.data, shape_.ring_bytes);
}
RingConsumer SharedLayout::in_consumer(unsigned reactor, unsigned slot) const {
    Ring place = ring(true, reactor, slot);
    return RingConsumer(place.header, place.data, shape_.ring_bytes);
}
RingProducer SharedLayout::out_producer(unsigned slot, unsigned reactor) const {
    Ring place = ring(false, reactor, slot);
    return RingProducer(place.header, place.data, shape_.ring_bytes);
}
RingConsumer SharedLayout::out_consumer(unsigned slot, unsigned reactor) const {
    Ring place = ring(false, reactor, slot);
    return RingConsumer(place.header, place.data, shape_.ring_bytes);
}

void SharedLayout::reset_rings(unsigned reactor, unsigned slot) const {
    for (bool inbound : {true, false}) {
        RingHeader* header = ring(inbound, reactor, slot).header;
        header->produced.store(0);
        header->consumed.store(0);
        header->taken.store(0);
        header->complete.store(0);
        header->room_at.store(0);
    }
}

void SharedLayout::reset_worker(unsigned slot) const {
    worker(slot).sleeping.store(0);
    worker(slot).alive.store(0);
    worker(slot).lives.fetch_add(1);
    worker(slot).lent_bytes.store(0);
    worker(slot).file_bytes.store(0);
    worker(slot).coroutines.store(0);
    worker(slot).pooled_stacks.store(0);
    worker(slot).peak_coroutines.store(0);
    worker(slot).handlers.store(0);
    worker(slot).waiting.store(0);
    worker(slot).handled.store(0);
    worker(slot).heap_bytes.store(0);
}

SharedLayout::Load SharedLayout::load_of(unsigned slot) const {
    const WorkerCell& cell = worker(slot);
    Load load{cell.handlers.load(std::memory_order_relaxed) > 0,
              cell.waiting.load(std::memory_order_relaxed) > 0};
    for (unsigned reactor = 0; reactor < shape_.reactors; ++reactor) {
        const RingHeader& in = *ring(true, reactor, slot).header;
        // What the worker has said, of what had been produced by then.
        const uint64_t consumed = in.consumed.load(std::memory_order_acquire);
        const uint64_t taken = in.taken.load(std::memory_order_acquire);
        const uint64_t produced = in.produced.load(std::memory_order_acquire);
        load.is_busy = load.is_busy || produced != consumed;
        load.has_waiting = load.has_waiting || produced != taken;
    }
    return load;
}

namespace {
/// Pages that hold nothing stay without memory.
void copy_pages(char* to, const char* from, size_t bytes) {
    static constexpr char kNothing[4096] = {};
    for (size_t at = 0; at < bytes; at += sizeof kNothing) {
        const size_t length = std::min(bytes - at, sizeof kNothing);
        if (memcmp(from + at, kNothing, length) != 0) memcpy(to + at, from + at, length);
    }
}
}  // namespace

void SharedLayout::carry_over(const SharedLayout& old) const {
    // Figures, requests, handlers, what was noted of requests, and what checks have found lie behind one
    // another.
    copy_pages(memory_.data() + figures_at_, old.memory_.data() + figures_at_,
               metrics_at_ + kMetricsBytes - figures_at_);
    memcpy(static_cast<void*>(&server()), static_cast<const void*>(&old.server()), sizeof(ServerCell));
    for (unsigned index = 0; index < shape_.reactors; ++index) {
        for (auto counter :
             {&ReactorCell::messages_received, &ReactorCell::bytes_received, &ReactorCell::bytes_sent,
              &ReactorCell::datagrams_dropped, &ReactorCell::connections_accepted,
              &ReactorCell::connections_refused, &ReactorCell::requests_cancelled})
            (reactor(index).*counter).store((old.reactor(index).*counter).load());
        reset_figures(index);
    }
    for (unsigned slot = 0; slot < shape_.worker_slots; ++slot) {
        worker(slot).restarts.store(old.worker(slot).restarts.load());
        worker(slot).stalls.store(old.worker(slot).stalls.load());
        worker(slot).lives.store(old.worker(slot).lives.load());
        worker(slot).handled.store(old.worker(slot).handled.load());
    }
}

void SharedLayout::reset_reactor(unsigned index) const {
    zero(memory_.data() + cells_at_ + sizeof(ConnectionCell) * shape_.cells * index,
         sizeof(ConnectionCell) * shape_.cells);
    zero(memory_.data() + attachments_at_ + sizeof(AttachmentCell) * shape_.cells * index,
         sizeof(AttachmentCell) * shape_.cells);
    zero(memory_.data() + addresses_at_ + address_bytes() * index, address_bytes());
    ReactorCell& cell = reactor(index);
    cell.sleeping.store(0);
    cell.connections.store(0);
    cell.arena_bytes.store(0);
    cell.compression_bytes.store(0);
    cell.attached_bytes.store(0);
    cell.subscription_bytes.store(0);
    cell.body_streams.store(0);
    cell.handshakes.store(0);
    cell.open_files.store(0);
    cell.out_bytes.store(0);
    cell.file_bytes.store(0);
    reset_figures(index);
}

/// What was counted stays.
void SharedLayout::reset_figures(unsigned index) const {
    ReactorFigures& all = figures(index);
    for (auto& protocol : all.connections)
        for (std::atomic<uint64_t>& state : protocol)
            state.store(0);
    for (size_t resource = 0; resource < kAwaitedResources.size(); ++resource) {
        all.waiting[resource].store(0);
        all.waits_since_us[resource].store(0);
    }
    for (auto* gauge : {&all.streams, &all.topics, &all.subscriptions})
        gauge->store(0);
}

std::span<char> SharedLayout::arena(unsigned reactor) const {
    return {memory_.data() + arenas_at_ + shape_.arena_bytes * reactor, shape_.arena_bytes};
}

std::span<AddressCell> SharedLayout::addresses(unsigned reactor) const {
    return {reinterpret_cast<AddressCell*>(memory_.data() + addresses_at_ + address_bytes() * reactor),
            shape_.address_cells()};
}

/// Bytes of each reactor's AddressTable: whole pages, so that they can be protected (mprotect).
FlowCosts SharedLayout::flow_costs() const {
    return FlowCosts(
        {reinterpret_cast<CostCell*>(memory_.data() + flow_costs_at_), FlowCosts::cells_for(kFlowCells)});
}

size_t SharedLayout::address_bytes() const {
    return page_round(sizeof(AddressCell) * shape_.address_cells());
}

bool SharedLayout::own_addresses() const {
    void* const place = memory_.data() + addresses_at_;
    return mmap(place, address_bytes() * shape_.reactors, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == place;
}

bool SharedLayout::protect_addresses_of_others(unsigned reactor) const {
    char* const begin = memory_.data() + addresses_at_;
    char* const own = begin + address_bytes() * reactor;
    char* const end = begin + address_bytes() * shape_.reactors;
    const auto protect = [](char* from, char* to) {
        return from == to || mprotect(from, static_cast<size_t>(to - from), PROT_READ) == 0;
    };
    return protect(begin, own) && protect(own + address_bytes(), end);
}

std::span<char> SharedLayout::out_arena(unsigned slot) const {
    return {memory_.data() + outs_at_ + shape_.out_bytes * slot, shape_.out_bytes};
}

std::span<char> SharedLayout::parked_arena(unsigned slot) const {
    return {memory_.data() + parked_at_ + shape_.parked_bytes() * slot, shape_.parked_bytes()};
}

ProfileDesk& SharedLayout::profile_desk(unsigned slot) const {
    assert(slot < shape_.worker_slots);
    return reinterpret_cast<ProfileDesk*>(memory_.data() + profile_desks_at_)[slot];
}

}  // namespace sluice
