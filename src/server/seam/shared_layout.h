#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "core/byte_ring.h"
#include "core/shared_memory.h"
#include "io/address.h"
#include "server/config/choices.h"
#include "server/seam/address_table.h"
#include "server/seam/connection_id.h"

namespace sluice {

struct ServerConfig;

/// What everybody may know of a connection. Written by its reactor; workers read it to answer at once whether
/// a connection is open and how much waits for it. Advisory: the reactor decides by its own memory.
struct alignas(64) ConnectionCell {
    std::atomic<uint64_t> id;
    std::atomic<uint32_t> queued_bytes;  ///< in the reactor's queue, or this many and more
    std::atomic<uint16_t> endpoint;      ///< by which it came, a WebSocket's route: whose limits are its own
    std::atomic<bool> over_part;  ///< OutBudget::is_over_part(), as of the last that was queued or sent
    std::atomic<uint64_t> submitted_bytes;  ///< by workers, since it was accepted
    std::atomic<uint64_t> handled_bytes;    ///< of those, what the reactor has queued or dropped
    Address peer;  ///< written before `id`, so it is right whenever `id` still is after reading it
    std::atomic<uint32_t> protocol;       ///< protocol_number() of the sub-protocol agreed on; 0: none
    std::atomic<uint32_t> round_trip_us;  ///< of the last ping that was answered; 0: none was
    std::atomic<uint16_t> subscriptions;  ///< of a WebSocket to topics; UINT16_MAX: it gets no more
    std::atomic<SlowClient> slow_client;
    std::atomic<bool> proxied;  ///< `peer` is who a proxy named: see SharedLayout::proxy()
};
static_assert(sizeof(ConnectionCell) == 64);

/// By which path a WebSocket came, if its route has parameters. It is that connection's while `id` says so,
/// and may be read after its end.
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
    std::atomic<uint64_t> messages_received;
    std::atomic<uint64_t> bytes_received;
    std::atomic<uint64_t> bytes_sent;
    std::atomic<uint64_t> out_bytes;   ///< OutMemory of its process
    std::atomic<uint64_t> fair_bytes;  ///< OutBudget::fair_bytes()
    std::atomic<uint64_t> file_bytes;  ///< reserved for temporary files of bodies
    std::atomic<uint64_t>
        udp_queued_bytes;  ///< of the UDP socket that has most; 0 while the network takes all
    std::atomic<uint64_t> datagrams_dropped;  ///< of all reactors that have had this number
};

struct alignas(64) WorkerCell {
    std::atomic<uint32_t> sleeping;  ///< see Doorbell
    std::atomic<uint32_t> alive;     ///< it is ready; base mode: its reactor takes commands of other workers
    std::atomic<uint32_t> lives;     ///< another number whenever its slot changes hands
    std::atomic<uint64_t> lent_bytes;
    std::atomic<uint64_t> file_bytes;  ///< reserved for bodies that handlers have received whole
    std::atomic<uint32_t> coroutines;
    std::atomic<uint32_t> pooled_stacks;
    std::atomic<uint32_t> peak_coroutines;
    std::atomic<uint64_t> stalls;    ///< of all that have had this slot
    std::atomic<uint32_t> handlers;  ///< that have begun and not ended
    std::atomic<uint32_t> waiting;   ///< of these, that wait for their turn
};

/// The map of the server's shared memory, computed alike in every process from the numbers in its first page.
///
/// Reactors and worker slots are numbered. In base mode reactor r lives in worker r. There are twice as many
/// worker slots as workers, so that a reload can start the new ones before the old ones end. Services have
/// the slots behind these.
class SharedLayout {
  public:
    struct Shape {
        uint32_t mode = 0;
        uint32_t reactors = 0;
        uint32_t worker_slots = 0;
        uint32_t service_slots = 0;   ///< of these, the last: for services
        uint32_t cells = 0;           ///< per reactor, a power of two
        uint64_t ring_bytes = 0;      ///< each ring's data, a power of two
        uint64_t arena_bytes = 0;     ///< per reactor
        uint64_t out_bytes = 0;       ///< per worker slot
        uint64_t attached_bytes = 0;  ///< per reactor
        uint64_t secret = 0;          ///< of the AddressTables, chosen by create()

        /// Reactors that accept connections at the same time, and so share what is bounded for the server. In
        /// base mode those of old workers that a reload has left do not count: they only finish. Those of
        /// services have no connections.
        uint32_t serving() const {
            return mode == static_cast<uint32_t>(Mode::kBase) ? (reactors - service_slots + 1) / 2 : reactors;
        }
        uint32_t first_service_slot() const { return worker_slots - service_slots; }
        /// Processes that have reactors which accept connections: in process mode all are in one.
        uint32_t processes() const { return mode == static_cast<uint32_t>(Mode::kBase) ? serving() : 1; }
        /// Where each worker sets messages aside. A part of its own, for they stay for as long as handlers
        /// wait, and what is sent must not wait for that.
        size_t aside_bytes() const { return (out_bytes / 4 + 4095) & ~size_t{4095}; }
        /// Cells of each reactor's AddressTable.
        size_t address_cells() const { return std::max<size_t>(cells, AddressTable::kPlaces); }
    };

    /// There are some more slots for services than services, for those that a reload adds.
    static constexpr unsigned kSpareServiceSlots = 8;

    static Shape shape_for(const ServerConfig& config);
    /// New shared memory of this shape. Check `operator bool`; errno tells why not.
    static SharedLayout create(const Shape& shape);
    /// Memory that another process has created.
    static SharedLayout attach(UniqueFd fd);

    explicit operator bool() const { return static_cast<bool>(memory_); }
    const Shape& shape() const { return shape_; }
    int fd() const { return memory_.fd(); }

    ReactorCell& reactor(unsigned index) const;
    WorkerCell& worker(unsigned slot) const;
    /// The cell that a connection of this id would have; whether it is his tells its `id`.
    ConnectionCell& connection(ConnectionId id) const;
    /// The proxy that a connection has come through, if its cell says so. Apart, so that connections without
    /// one cost nothing.
    Address& proxy(ConnectionId id) const;
    /// Apart for the same reason.
    PathCell& path(ConnectionId id) const;
    AttachmentCell& attachment(ConnectionId id) const;
    /// None when there is no such reactor.
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
    /// For a new worker in a slot: both directions empty again. Nobody may be using them.
    void reset_rings(unsigned reactor, unsigned slot) const;
    void reset_worker(unsigned slot) const;
    /// Process mode: whether a worker has something to do, and whether messages wait for it to begin with
    /// them.
    struct Load {
        bool is_busy = false;
        bool has_waiting = false;
    };
    Load load_of(unsigned slot) const;
    /// Base mode, for a new reactor: no connections.
    void reset_reactor(unsigned index) const;

    /// In-bound extents of a reactor.
    std::span<char> arena(unsigned reactor) const;
    /// Connections by address, as one reactor counts them.
    std::span<AddressCell> addresses(unsigned reactor) const;
    /// In the process that has all reactors: what they count is its own from here on, and none of the other
    /// processes can change it. False with errno set when that failed.
    bool own_addresses() const;
    /// In a process that has this reactor: what the others count can only be read there.
    bool protect_addresses_of_others(unsigned reactor) const;
    /// Out-bound payloads of a worker.
    std::span<char> out_arena(unsigned slot) const;
    /// Records of messages that a worker has set aside.
    std::span<char> aside_arena(unsigned slot) const;

  private:
    explicit SharedLayout(SharedMemory memory, const Shape& shape);
    size_t cell_index(ConnectionId id) const;
    size_t address_bytes() const;
    void compute();

    SharedMemory memory_;
    Shape shape_;
    size_t reactors_at_ = 0;
    size_t workers_at_ = 0;
    size_t cells_at_ = 0;
    size_t proxies_at_ = 0;
    size_t paths_at_ = 0;
    size_t attachments_at_ = 0;
    size_t attachment_blocks_at_ = 0;
    size_t addresses_at_ = 0;
    size_t ring_headers_at_ = 0;
    size_t rings_at_ = 0;
    size_t arenas_at_ = 0;
    size_t outs_at_ = 0;
    size_t asides_at_ = 0;
    size_t total_ = 0;

  public:
    SharedLayout() = default;
};

}  // namespace sluice
