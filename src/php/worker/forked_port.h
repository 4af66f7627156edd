#pragma once

#include <memory>

#include "server/seam/worker_port.h"

namespace sluice::php {

/// The port of a process that the application has forked from a worker. It has no server: commands are
/// dropped, and no messages come.
class ForkedPort final : public WorkerPort {
  public:
    /// `left`, the worker's port, is leaked: the parent goes on using what is behind it.
    explicit ForkedPort(std::unique_ptr<WorkerPort> left) : left_(*left) { left.release()->abandon(); }

    void ready() override {}
    bool take(Inbound&) override { return false; }
    bool take_notice(Inbound&, bool (*)(const Inbound&)) override { return false; }
    void finished(const Inbound&) override {}
    void waits(const Inbound&) override {}
    void park(Inbound&) override {}
    void begins(const Inbound&) override {}
    void release(const Inbound&) override {}
    void release_file(const Inbound&) override {}
    Ref<RequestFile> create_body_file(uint64_t, const std::string&, http::Error& error) override {
        error = {503, "a process that the application has forked receives no bodies"};
        return {};
    }
    Submitted submit(const Command&, Reach&) override { return Submitted::kClosed; }
    unsigned way_of(const Command&) const override { return 0; }
    Submitted submit_surely(const Command&) override { return Submitted::kClosed; }
    bool has_kept() const override { return false; }
    void wait(int) override {}
    void flush() override {}
    bool leaving() const override { return true; }
    bool stopping() const override { return true; }
    uint64_t patient_until_ms() const override { return 0; }
    const Limits& limits() const override { return left_.limits(); }
    const SendLimits& sending(ConnectionId id) const override { return left_.sending(id); }
    void charge(uint64_t, ConnectionId, uint32_t) override {}
    MatchedAnew match_anew(uint16_t, const inbound::Head&) const override { return {}; }
    std::string allowed_methods(uint16_t, const inbound::Head&) const override { return {}; }
    bool is_open(ConnectionId) const override { return false; }
    size_t queued_bytes(ConnectionId) const override { return 0; }
    SlowClient slow_client(ConnectionId id) const override { return left_.slow_client(id); }
    Address peer(ConnectionId id) const override { return left_.peer(id); }
    Address connection_peer(ConnectionId id) const override { return left_.connection_peer(id); }
    uint32_t protocol_number(ConnectionId id) const override { return left_.protocol_number(id); }
    uint32_t round_trip_us(ConnectionId id) const override { return left_.round_trip_us(id); }
    bool read_path(ConnectionId id, uint16_t& endpoint, char* path, size_t& bytes) const override {
        return left_.read_path(id, endpoint, path, bytes);
    }
    Attached find_attached(ConnectionId id) const override { return left_.find_attached(id); }
    bool read_attached(ConnectionId id, const Attached& found, char* to) const override {
        return left_.read_attached(id, found, to);
    }
    void set_lent_bytes(size_t) override {}
    void set_coroutines(const CoroutineCounts&) override {}
    void count_handled(uint16_t, uint64_t, uint64_t) override {}
    void count_stall() override {}
    ServerStats stats() const override { return left_.stats(); }
    TraceKey trace_key() const override { return left_.trace_key(); }
    ProfileDesk* profile_desk() const override { return nullptr; }
    RequestBoard* request_board() const override { return nullptr; }
    void abandon() override {}
    void request_reload() override {}
    void request_stop() override {}
    void request_replacement() override {}
    void request_successor() override {}
    bool is_short_of_memory() const override { return false; }
    bool watch(int, uint32_t) override;
    void take_ready(std::vector<ReadyFd>& ready) override { ready.clear(); }

  private:
    const WorkerPort& left_;  ///< read only; its memory is private to this process by then
};

}  // namespace sluice::php
