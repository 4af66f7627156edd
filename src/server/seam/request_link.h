#pragma once

#include <deque>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/byte_ring.h"
#include "core/unique_fd.h"
#include "server/seam/messages.h"

namespace sluice {

/// The connection between a worker and a process that handles one request: records, as they stand in rings,
/// one after the other. The request goes one way, with the file of its body; what the handler orders the
/// other, with the files that it sends.
class RequestLink {
  public:
    enum class Progress { kDone, kBlocked, kClosed };

    explicit RequestLink(UniqueFd fd = {}) : fd_(std::move(fd)) {}
    /// Neither end blocks. The worker's learns from the kernel which process sends at the other.
    static bool create_pair(UniqueFd& of_worker, UniqueFd& of_process);
    /// For a process that serves scripts: its end blocks.
    static bool create_lasting_pair(UniqueFd& of_workers, UniqueFd& of_process);

    void connect(UniqueFd fd) { fd_ = std::move(fd); }
    int fd() const { return fd_.get(); }

    // Each copies what it needs, to be sent by send().

    /// For a process that serves scripts: which script answers the request that was put, in the sender's own
    /// form.
    void put_script(std::string_view script);
    static bool is_script(uint16_t kind);
    static std::string_view script_in(std::span<const char> record);
    /// With a duplicate of the descriptor of a body's file.
    void put(const Inbound& request);
    /// With a duplicate of the descriptor of a file; only when all that was put before is on its way. False:
    /// there is no descriptor for the duplicate, and nothing was put.
    bool put(const Command& command);
    /// What was put into another one, which was never connected, for one whose output has all been sent.
    void take_output(RequestLink& from);
    /// Forgets what has come and what was put, and reads all that is on its way.
    void drop();
    /// A sign of this process, by which the worker learns its number before anything else comes.
    void put_sign();
    /// Nothing more comes of this request, though this end stays open for a moment.
    void put_done();
    static bool is_done(uint16_t kind);

    /// kDone: all that was put is on its way.
    Progress send();
    /// kDone: something has come.
    Progress receive();
    /// receive() that waits, when the socket blocks.
    Progress await();
    /// The next record that has come, until receive() is called again; empty: none. `kind`: as its header
    /// says.
    std::span<const char> next(uint16_t& kind);
    /// The file of the record that next() has returned: to be taken once for each record that has one. Empty:
    /// none has come.
    UniqueFd take_file();

    /// The process at the other end of a worker's, once something has come from it; 0: nothing has.
    pid_t process() const { return process_; }
    /// Kills that process, unless it has ended: then its number may be another process's.
    void kill_process();

  private:
    char* add(size_t bytes);
    Progress receive_by(int flags);

    UniqueFd fd_;
    pid_t process_ = 0;
    std::vector<uint64_t> out_;
    size_t sent_ = 0;
    UniqueFd out_file_;
    std::vector<uint64_t> in_;
    size_t in_begin_ = 0;
    size_t in_end_ = 0;
    std::deque<UniqueFd> files_;  ///< those whose records have not been returned
};

}  // namespace sluice
