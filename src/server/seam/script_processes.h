#pragma once

#include <memory>
#include <vector>

#include "server/seam/request_link.h"
#include "server/seam/script_board.h"

namespace sluice {

/// A worker's end of a pool of processes for scripts: a link to each process, of which it may use those that
/// it has claimed.
class ScriptProcesses {
  public:
    ScriptProcesses() = default;
    /// In the worker's own process.
    ScriptProcesses(std::shared_ptr<const ScriptBoard> board, std::vector<UniqueFd> sockets, UniqueFd freed,
                    UniqueFd teller);

    explicit operator bool() const { return static_cast<bool>(board_); }

    struct Claim {
        unsigned place = 0;
        uint64_t number = 0;
        RequestLink* link = nullptr;  ///< nullptr: no process is free
        explicit operator bool() const { return link != nullptr; }
    };
    /// Claims a free process. Tells the generation when none is left.
    Claim claim();
    /// Gives it back. `clean`: the process has said that it is done.
    void release(const Claim& claim, bool clean);

    pid_t process_of(const Claim& claim) const { return board_->cell(claim.place).pid.load(); }
    /// Whether the process has died, which its link shows by a sign.
    bool is_lost(const Claim& claim) const { return board_->cell(claim.place).lost.load() == claim.number; }
    /// Kills the process, if it still serves this request.
    void kill_process(const Claim& claim) const;

    /// Readable once a process is given back while somebody waits for one; see begin_waiting().
    int freed_fd() const { return freed_.get(); }
    void take_freed();
    void begin_waiting() const { ++board_->waiting(); }
    void end_waiting() const { --board_->waiting(); }

  private:
    std::shared_ptr<const ScriptBoard> board_;
    std::vector<RequestLink> links_;
    UniqueFd freed_;
    UniqueFd teller_;
    pid_t worker_ = 0;
    uint32_t claims_ = 0;
};

/// What a process of a pool has of it.
struct ScriptSeat {
    UniqueFd socket;
    std::shared_ptr<const ScriptBoard> board;
    unsigned place = 0;
    uint32_t most_requests = 0;  ///< after so many the process ends; 0: never
};

}  // namespace sluice
