#include "server/master/spare_processes.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/log.h"
#include "server/config/config.h"
#include "server/master/process_status.h"

namespace sluice {

namespace {

constexpr unsigned kMostSpare = 8;
constexpr uint64_t kFirstBackOffMs = 100;
constexpr unsigned kMostDoublings = 6;

}  // namespace

SpareProcesses::SpareProcesses(const ServerConfig& config) {
    for (const EndpointSpec& spec : config.endpoints) {
        if (spec.processes == 0 || spec.runs_scripts || !spec.has_handler) continue;
        const auto known = [&spec](const Pool& pool) { return pool.endpoint == spec.processes_of; };
        if (std::any_of(pools_.begin(), pools_.end(), known)) continue;
        Pool& pool = pools_.emplace_back();
        pool.endpoint = spec.processes_of;
        pool.most = spec.processes;
        pool.spare = std::clamp(spec.processes / 4, std::min(2u, spec.processes), kMostSpare);
        FdChannel::create_pair(pool.for_workers, pool.for_processes);
    }
    int fds[2];
    if (empty() || pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0) return;
    taken_ = UniqueFd(fds[0]);
    teller_ = UniqueFd(fds[1]);
}

void SpareProcesses::hear() {
    uint64_t note;
    while (read(taken_.get(), &note, sizeof note) == sizeof note) {
        const auto found = processes_.find(static_cast<pid_t>(note));
        if (found == processes_.end() || !found->second.idle) continue;
        found->second.idle = false;
        Pool& pool = pools_[static_cast<size_t>(found->second.pool)];
        --pool.idle;
        pool.failures = 0;
    }
}

bool SpareProcesses::forget(pid_t pid, int status, uint64_t now_ms) {
    hear();
    const auto found = processes_.find(pid);
    if (found == processes_.end()) return false;
    Pool& pool = pools_[static_cast<size_t>(found->second.pool)];
    --pool.count;
    if (found->second.idle) {
        --pool.idle;
        pool.not_before_ms = now_ms + (kFirstBackOffMs << std::min(pool.failures, kMostDoublings));
        ++pool.failures;
        SLUICE_ERROR("a process for requests (pid %d) %s before it had one", pid,
                     describe_status(status).c_str());
    } else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) {
        SLUICE_ERROR("a process for requests (pid %d) %s", pid, describe_status(status).c_str());
    }
    processes_.erase(found);
    return true;
}

int SpareProcesses::next(uint64_t now_ms) const {
    for (size_t place = 0; place < pools_.size(); ++place) {
        const Pool& pool = pools_[place];
        if (pool.idle < pool.spare && pool.count < pool.most && pool.not_before_ms <= now_ms)
            return static_cast<int>(place);
    }
    return -1;
}

int SpareProcesses::wait_ms(uint64_t now_ms) const {
    int wait = -1;
    for (const Pool& pool : pools_) {
        if (pool.idle >= pool.spare || pool.count >= pool.most || pool.not_before_ms <= now_ms) continue;
        const int own = static_cast<int>(pool.not_before_ms - now_ms);
        wait = wait < 0 ? own : std::min(wait, own);
    }
    return wait;
}

void SpareProcesses::forked(int place, pid_t pid) {
    Pool& pool = pools_[static_cast<size_t>(place)];
    ++pool.count;
    ++pool.idle;
    processes_[pid] = {place, true};
}

FdChannel SpareProcesses::take_queue(int place) {
    FdChannel queue = std::move(pools_[static_cast<size_t>(place)].for_processes);
    pools_.clear();
    return queue;
}

UniqueFd SpareProcesses::take_teller() {
    taken_.reset();
    return std::move(teller_);
}

std::vector<FdChannel> SpareProcesses::take_ends() {
    std::vector<FdChannel> ends;
    for (Pool& pool : pools_) {
        if (ends.size() <= pool.endpoint) ends.resize(pool.endpoint + size_t{1});
        ends[pool.endpoint] = std::move(pool.for_workers);
    }
    pools_.clear();
    taken_.reset();
    teller_.reset();
    return ends;
}

}  // namespace sluice
