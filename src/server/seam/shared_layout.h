#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "core/byte_ring.h"
#include "core/shared_memory.h"
#include "core/trace_ids.h"
#include "io/address.h"
#include "server/config/choices.h"
#include "server/profile/profile_desk.h"
#include "server/seam/address_table.h"
#include "server/seam/canary_cells.h"
#include "server/seam/connection_id.h"
#include "server/seam/request_board.h"
#include "server/seam/request_cells.h"
#include "server/seam/server_cell.h"
#include "server/sharing/flow_costs.h"

namespace sluice {

struct ServerConfig;
struct ReactorFigures;

/// What every process may know of a connection. Written by its reactor; workers read here whether a
/// connection is open and how much waits for it, without asking. Advisory: the reactor decides by its own
/// memory.
struct alignas(64) ConnectionCell {
    std::atomic<uint64_t> id;
    std::atomic<uint32_t> queued_bytes;     ///< in the reactor's queue; UINT32_MAX: or more
    std::atomic<uint16_t> endpoint;         ///< the listener or route whose limits hold for it
    std::atomic<bool> over_share;           ///< OutBudget::is_over_share() of one more as the last
    std::atomic<uint64_t> submitted_bytes;  ///< by workers, since it was accepted
    std::atomic<uint64_t> handled_bytes;    ///< of the submitted, queued or dropped by the reactor
    Address peer;  ///< written before `id`, so it is right whenever `id` still is after reading it
    std::atomic<uint32_t> protocol;       ///< protocol_number() of the sub-protocol agreed on; 0: none
    std::atomic<uint32_t> round_trip_us;  ///< of the last ping that was answered; 0: none was
    std::atomic<uint16_t> subscriptions;  ///< of a WebSocket to topics; UINT16_MAX: it gets no more
    std::atomic<SlowClient> slow_client;
    std::atomic<bool> proxied;  ///< `peer` is who a proxy named: see SharedLayout::proxy()
};
static_assert(sizeof(ConnectionCell) == 64);

/// The path of a WebSocket whose route has parameters. The cell is a connection's while `id` names it, and
/// may be read after that connection's end.
struct alignas(64) PathCell {
    static constexpr size_t kMostBytes = 244;

    std::atomic<uint64_t> id;
    uint16_t endpoint;
    uint16_t bytes;
    char path[kMostBytes];
};
static_assert(sizeof(PathCell) == 256);

/// What is attached to a connection; see Attachments.
struct AttachmentCell {
    std::atomic<uint64_t> id;
    std::atomic<uint64_t> place;
};
static_assert(sizeof(AttachmentCell) == 16);

struct AttachmentBlock {
    static constexpr size_t kBytes = 252;

    std::atomic<uint32_t> next;
    char bytes[kBytes];
};
static_assert(sizeof(AttachmentBlock) == 256);

struct alignas(64) ReactorCell {
    std::atomic<uint32_t> sleeping;  ///< see Doorbell
    std::atomic<uint64_t> connections;
    std::atomic<uint64_t> arena_bytes;
    std::atomic<uint64_t> compression_bytes;
    std::atomic<uint64_t> attached_bytes;
    std::atomic<uint64_t> subscription_bytes;
    std::atomic<uint64_t> body_streams;
    std::atomic<uint64_t> handshakes;
    std::atomic<uint64_t> open_files;
    std::atomic<uint64_t> messages_received;
    std::atomic<uint64_t> bytes_received;
    std::atomic<uint64_t> bytes_sent;
    std::atomic<uint64_t> out_bytes;          ///< OutMemory of its process, with extents
    std::atomic<uint64_t> share_bytes;        ///< OutBudget::share_of_one()
    std::atomic<uint64_t> file_bytes;         ///< reserved for temporary files of bodies
    std::atomic<uint64_t> udp_queued_bytes;   ///< of the UDP socket that holds most; 0: the network takes all
    std::atomic<uint64_t> datagrams_dropped;  ///< of all reactors that have had this number
    std::atomic<uint64_t> connections_accepted;
    std::atomic<uint64_t> connections_refused;  ///< by a limit on connections, or on those of an address
    std::atomic<uint64_t> requests_cancelled;   ///< whose client has left before they were answered
    CanaryCells canary;
};

struct alignas(64) WorkerCell {
    std::atomic<uint32_t> sleeping;  ///< see Doorbell
    std::atomic<uint32_t> alive;     ///< the worker is ready; base mode: its reactor takes others' commands
    std::atomic<uint32_t> lives;     ///< another number for each worker in the slot
    std::atomic<uint32_t> restarts;  ///< of services that have had this slot
    std::atomic<uint64_t> lent_bytes;
    std::atomic<uint64_t> file_bytes;  ///< reserved for bodies that handlers have received whole
    std::atomic<uint32_t> coroutines;
    std::atomic<uint32_t> pooled_stacks;
    std::atomic<uint32_t> peak_coroutines;
    std::atomic<uint64_t> stalls;    ///< of all workers that have had this slot
    std::atomic<uint32_t> handlers;  ///< that have begun and not ended
    std::atomic<uint32_t> waiting;   ///< handlers that wait for their turn
    std::atomic<uint32_t> pid;
    std::atomic<uint32_t> number;  ///< the worker's among its fellows
    std::atomic<uint32_t> generation;
    std::atomic<uint64_t> handled;     ///< requests, messages and datagrams
    std::atomic<uint64_t> heap_bytes;  ///< that PHP has of the system
};

/// The map of the server's shared memory, computed alike in every process from its Shape. Workers can write
/// anywhere in that memory, so the shape is not stored there: the master keeps it, and gives it to each
/// process that maps the memory.
///
/// Reactors and worker slots are numbered. In base mode reactor r lives in worker r. There are twice as many
/// slots for workers as workers, so that a reload can start new workers before the old ones end. Services
/// have the last slots.
class SharedLayout {
  public:
    struct Shape {
        uint32_t mode = 0;
        uint32_t reactors = 0;
        uint32_t worker_slots = 0;
        uint32_t service_slots = 0;   ///< the last worker slots, for services
        uint32_t cells = 0;           ///< per reactor, a power of two
        uint64_t ring_bytes = 0;      ///< each ring's data, a power of two
        uint64_t arena_bytes = 0;     ///< per reactor
        uint64_t out_bytes = 0;       ///< per worker slot
        uint64_t attached_bytes = 0;  ///< per reactor
        uint64_t secret = 0;          ///< of the AddressTables, chosen by create()
        uint64_t trace_high = 0;      ///< trace_key(), chosen by create()
        uint64_t trace_low = 0;

        bool operator==(const Shape&) const = default;

        /// Reactors that accept connections at the same time, and so share what is bounded for the server. In
        /// base mode the reactors of old workers do not count after a reload, for they only finish. Reactors
        /// of services do not count, for they have no connections.
        uint32_t serving() const { return is_base() ? (reactors - service_slots + 1) / 2 : reactors; }
        uint32_t first_service_slot() const { return worker_slots - service_slots; }
        /// Processes whose reactors accept connections: in process mode one, which has all reactors.
        uint32_t processes() const { return is_base() ? serving() : 1; }
        TraceKey trace_key() const { return {trace_high, trace_low}; }
        bool is_base() const { return mode == static_cast<uint32_t>(Mode::kBase); }
        /// Room in which each worker parks messages. Apart from the room for sending, for these messages
        /// stay for as long as handlers wait.
        size_t parked_bytes() const { return (out_bytes / 4 + 4095) & ~size_t{4095}; }
        /// Cells of each reactor's AddressTable.
        size_t address_cells() const { return std::max<size_t>(cells, AddressTable::kPlaces); }
    };

    /// Cells of flow_costs() in each row: more than twice as many as there are busy clients and connections.
    static constexpr size_t kFlowCells = 65536;
    static constexpr size_t kMetricsBytes = 1 << 20;
    /// Slots beyond those of the first boot's services, for services that a reload adds.
    static constexpr unsigned kSpareServiceSlots = 8;

    static Shape shape_for(const ServerConfig& config);
    /// Creates shared memory of this shape. When `operator bool` is false, errno says why.
    static SharedLayout create(const Shape& shape);
    /// Maps shared memory that another process has created with this shape. False (`operator bool`) when the
    /// memory has another size.
    static SharedLayout attach(UniqueFd fd, const Shape& shape);

    explicit operator bool() const { return static_cast<bool>(memory_); }
    const Shape& shape() const { return shape_; }
    int fd() const { return memory_.fd(); }
    void close_fd() { memory_.close_fd(); }

    ServerCell& server() const;
    ReactorCell& reactor(unsigned index) const;
    ReactorFigures& figures(unsigned reactor) const;
    RequestCells& requests(unsigned reactor) const;
    HandlerCells& handlers(unsigned slot) const;
    RequestBoard& request_board(unsigned slot) const;
    /// What the application's checks have found; see ReadinessCells.
    std::span<char> metrics() const;
    WorkerCell& worker(unsigned slot) const;
    /// The cell for a connection of this id; the cell's `id` tells whether that connection has it.
    ConnectionCell& connection(ConnectionId id) const {
        return reinterpret_cast<ConnectionCell*>(memory_.data() + cells_at_)[cell_index(id)];
    }
    /// The proxy that a connection has come through, if its cell says so. Outside of the cell, so that
    /// connections without a proxy cost nothing.
    Address& proxy(ConnectionId id) const;
    /// Outside of ConnectionCell, so that connections without a path cost nothing.
    PathCell& path(ConnectionId id) const;
    AttachmentCell& attachment(ConnectionId id) const;
    /// Empty when there is no reactor of this number.
    std::span<AttachmentBlock> attachment_blocks(unsigned reactor) const;

    struct Ring {
        RingHeader* header;
        char* data;
    };
    Ring ring(bool inbound, unsigned reactor, unsigned slot) const;
    RingProducer in_producer(unsigned reactor, unsigned slot) const;
    RingConsumer in_consumer(unsigned reactor, unsigned slot) const;
    RingProducer out_producer(unsigned slot, unsigned reactor) const;
    RingConsumer out_consumer(unsigned slot, unsigned reactor) const;
    /// Empties the rings of both directions for a new worker in the slot. Nobody may be using them.
    void reset_rings(unsigned reactor, unsigned slot) const;
    void reset_worker(unsigned slot) const;
    /// Process mode: whether a worker has something to do, and whether messages wait for it to begin with
    /// them.
    struct Load {
        bool is_busy = false;
        bool has_waiting = false;
    };
    Load load_of(unsigned slot) const;
    /// Takes over what is counted since the server began, from memory of the same shape that this replaces.
    void carry_over(const SharedLayout& old) const;
    /// Base mode: a new reactor begins without connections.
    void reset_reactor(unsigned index) const;

    /// In-bound extents of a reactor.
    std::span<char> arena(unsigned reactor) const;
    /// One reactor's counts of connections by address.
    std::span<AddressCell> addresses(unsigned reactor) const;
    /// In the process that has all reactors: makes their counts private, so that no other process can change
    /// them. False with errno set when that failed.
    bool own_addresses() const;
    /// In a process that has this reactor: makes the counts of all other reactors read-only.
    bool protect_addresses_of_others(unsigned reactor) const;
    /// What each client of the server has cost lately. Workers write there, too: one that lies changes who is
    /// next, and nothing else.
    FlowCosts flow_costs() const;
    /// Out-bound payloads of a worker.
    std::span<char> out_arena(unsigned slot) const;
    /// Records of messages that a worker has parked.
    std::span<char> parked_arena(unsigned slot) const;
    /// Where a worker is asked for profiles.
    ProfileDesk& profile_desk(unsigned slot) const;

  private:
    explicit SharedLayout(SharedMemory memory, const Shape& shape);
    size_t cell_index(ConnectionId id) const {
        // Ids come from applications: one with an invalid reactor gets a cell whose id cannot match.
        const size_t reactor = reactor_of(id) < shape_.reactors ? reactor_of(id) : 0;
        return reactor * shape_.cells + (serial_of(id) & (shape_.cells - 1));
    }
    size_t address_bytes() const;
    void compute();
    void reset_figures(unsigned index) const;

    SharedMemory memory_;
    Shape shape_;
    size_t server_at_ = 0;
    size_t reactors_at_ = 0;
    size_t figures_at_ = 0;
    size_t requests_at_ = 0;
    size_t handlers_at_ = 0;
    size_t request_boards_at_ = 0;
    size_t metrics_at_ = 0;
    size_t workers_at_ = 0;
    size_t cells_at_ = 0;
    size_t proxies_at_ = 0;
    size_t paths_at_ = 0;
    size_t attachments_at_ = 0;
    size_t attachment_blocks_at_ = 0;
    size_t addresses_at_ = 0;
    size_t flow_costs_at_ = 0;
    size_t ring_headers_at_ = 0;
    size_t rings_at_ = 0;
    size_t arenas_at_ = 0;
    size_t outs_at_ = 0;
    size_t parked_at_ = 0;
    size_t profile_desks_at_ = 0;
    size_t total_ = 0;

  public:
    SharedLayout() = default;
};

}  // namespace sluice
