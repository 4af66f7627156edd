#pragma once

#include <memory>
#include <utility>

#include "server/config/endpoints.h"
#include "server/config/limits.h"
#include "server/seam/shared_layout.h"
#include "server/seam/worker_port.h"

namespace sluice {

/// The part of both WorkerPorts that needs shared memory alone.
class PortBase : public WorkerPort {
  public:
    ~PortBase() override;
    /// Sets the endpoints of this boot and earlier ones. Call it before asking about their
    /// connections.
    void set_endpoints(std::shared_ptr<const Endpoints> endpoints) { endpoints_ = std::move(endpoints); }
    Ref<RequestFile> create_body_file(uint64_t client, const std::string& folder,
                                      http::Error& error) override;
    unsigned way_of(const Command& command) const override;
    bool is_open(ConnectionId id) const override;
    size_t queued_bytes(ConnectionId id) const override;
    SlowClient slow_client(ConnectionId id) const override;
    const Limits& limits() const override { return limits_; }
    const SendLimits& sending(ConnectionId id) const override;
    MatchedAnew match_anew(uint16_t endpoint, const inbound::Head& head) const override;
    std::string allowed_methods(uint16_t endpoint, const inbound::Head& head) const override;
    Address peer(ConnectionId id) const override;
    Address connection_peer(ConnectionId id) const override;
    void charge(uint64_t client, ConnectionId connection, uint32_t cost_us) override;
    uint32_t protocol_number(ConnectionId id) const override;
    uint32_t round_trip_us(ConnectionId id) const override;
    bool read_path(ConnectionId id, uint16_t& endpoint, char* path, size_t& bytes) const override;
    Attached find_attached(ConnectionId id) const override;
    bool read_attached(ConnectionId id, const Attached& found, char* to) const override;
    void set_lent_bytes(size_t bytes) override;
    void set_coroutines(const CoroutineCounts& counts) override;
    void count_handled(uint16_t endpoint, uint64_t waited_us, uint64_t ran_us) override;
    void count_stall() override;
    ServerStats stats() const override;
    TraceKey trace_key() const override { return layout_.shape().trace_key(); }
    ProfileDesk* profile_desk() const override { return &layout_.profile_desk(slot_); }
    const SharedLayout* layout() const override { return &layout_; }
    RequestBoard* request_board() const override { return &layout_.request_board(slot_); }

  protected:
    PortBase(const SharedLayout& layout, unsigned slot, const Limits& limits)
        : layout_(layout), slot_(slot), limits_(limits) {}

    /// Predicts a command's fate from the connection's cell, before it is sent: kClosed and kDropped are
    /// final.
    Submitted foresee(const Command& command) const;
    static bool is_final(Submitted foreseen) {
        return foreseen == Submitted::kClosed || foreseen == Submitted::kDropped;
    }

    /// The reactor of the connection that a command concerns, or of the first one.
    static unsigned reactor_for(const Command& command);

    Submitted foresee_datagram(const Command& command) const;
    bool is_more_queued(ConnectionId id, uint64_t bytes) const;
    bool out_memory_is_full(ConnectionId id) const;
    bool has_fair_room(ConnectionId id, size_t queued) const;

    const SharedLayout& layout_;
    unsigned slot_;
    Limits limits_;

  private:
    const EndpointSpec* endpoint_of(ConnectionId id) const;
    int site_of(uint16_t endpoint) const;

    std::shared_ptr<const Endpoints> endpoints_;
    std::shared_ptr<TemporaryFiles> files_;  ///< made for the first file
};

/// Whether a command concerns one connection, `Command::connection`, and so does nothing once that is closed.
bool is_for_one_connection(const Command& command);

/// Counts a payload that is on its way to the command's connections, so that answers to later commands take
/// it into account.
void count_submitted(const SharedLayout& layout, const Command& command);

}  // namespace sluice
