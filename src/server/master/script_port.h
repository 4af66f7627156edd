#pragma once

#include "server/master/request_port.h"
#include "server/seam/script_processes.h"

namespace sluice {

/// The port of a process that serves scripts: takes one request after the other, and shows in its cell which
/// one it handles.
class ScriptPort final : public RequestPort {
  public:
    ScriptPort(SharedLayout layout, const Limits& limits, ScriptSeat seat);

    /// Waits for the next request. False: this process is to end.
    bool take(Inbound& message) override;
    /// Which script the worker has chosen for the request, in the worker's own form.
    const std::string& script() const { return script_; }
    /// Sends a part of the response to the worker; `done`: nothing more comes of this request. False: the
    /// client, or the worker, has gone.
    bool answer(const Command& command, bool done);
    void finished(const Inbound& message) override;

  private:
    ScriptSeat seat_;
    uint32_t served_ = 0;
    bool has_said_done_ = false;
};

}  // namespace sluice
