#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "server/config/config.h"
#include "server/config/endpoints.h"
#include "server/observer/collector.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// Takes the traced requests that workers put on their boards, and sends them to a collector. In a thread of
/// its own, so that a collector which does not answer keeps nobody waiting: what finds no room meanwhile is
/// dropped and counted.
class TraceExporter {
  public:
    /// How often it looks.
    static constexpr unsigned kPeriodMs = 500;
    /// How often a message is sent, at intervals that begin with kFirstPauseMs and double.
    static constexpr unsigned kAttempts = 4, kFirstPauseMs = 1000;
    static constexpr int kTimeoutMs = 5000;

    /// Does nothing without a collector. The caller keeps the layout and the specification.
    TraceExporter(const SharedLayout& layout, const TracingSpec& tracing,
                  std::shared_ptr<const Endpoints> endpoints);
    ~TraceExporter();

    void set_endpoints(std::shared_ptr<const Endpoints> endpoints);

  private:
    void run();
    /// False: the observer ends.
    bool rest(unsigned ms);
    void take(std::vector<RequestRecord>& records, std::vector<unsigned>& slots);
    void send(const std::vector<RequestRecord>& records, const std::vector<unsigned>& slots);

    const SharedLayout& layout_;
    const TracingSpec& tracing_;
    std::optional<CollectorUrl> url_;
    std::mutex lock_;
    std::condition_variable wakes_;
    bool ends_ = false;                           ///< under `lock_`
    std::shared_ptr<const Endpoints> endpoints_;  ///< under `lock_`
    bool has_told_ = false;                       ///< that the collector takes nothing
    std::thread thread_;
};

}  // namespace sluice
