#include "server/master/script_pools.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/log.h"
#include "server/config/config.h"
#include "server/master/process_status.h"

namespace sluice {

namespace {

constexpr uint64_t kFirstBackOffMs = 100;
constexpr unsigned kMostDoublings = 6;
/// How exact the bounds of time are, as php-fpm's.
constexpr uint64_t kLookMs = 1000;
constexpr uint64_t kShortestLookMs = 10;

bool is_running(pid_t pid) {
    return kill(pid, 0) == 0 || errno != ESRCH;
}

}  // namespace

ScriptPools::ScriptPools(const ServerConfig& config) {
    for (const EndpointSpec& spec : config.endpoints) {
        if (spec.processes == 0 || !spec.runs_scripts) continue;
        const auto known = [&spec](const Pool& pool) { return pool.endpoint == spec.processes_of; };
        if (std::any_of(pools_.begin(), pools_.end(), known)) continue;
        Pool& pool = pools_.emplace_back();
        pool.endpoint = spec.processes_of;
        pool.most = spec.processes;
        pool.bounds = spec.script_pool;
        pool.board = std::make_shared<const ScriptBoard>(ScriptBoard::create(pool.most));
        pool.freed = UniqueFd(eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC));
        bool has_sockets = static_cast<bool>(pool.freed);
        for (unsigned place = 0; place < pool.most && has_sockets; ++place) {
            has_sockets = RequestLink::create_lasting_pair(pool.of_workers.emplace_back(),
                                                           pool.of_processes.emplace_back());
        }
        if (!*pool.board || !has_sockets) {
            SLUICE_ERROR("%u processes for scripts ($processes) cannot have what they share: %s", pool.most,
                         strerror(errno));
            _exit(1);
        }
    }
    int fds[2];
    if (empty() || pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0) return;
    busy_ = UniqueFd(fds[0]);
    teller_ = UniqueFd(fds[1]);
}

void ScriptPools::hear() {
    char notes[256];
    while (read(busy_.get(), notes, sizeof notes) > 0) {
    }
}

/// A place whose last process is forgotten, by who has talked to it as well.
unsigned ScriptPools::free_place(const Pool& pool) {
    unsigned place = 0;
    for (; place < pool.most; ++place) {
        const ScriptCell& cell = pool.board->cell(place);
        if (cell.pid.load() == 0 && cell.request.load() == 0) break;
    }
    return place;
}

bool ScriptPools::wants_more(const Pool& pool) {
    const bool is_short =
        pool.count < pool.bounds.least || (pool.count < pool.most && !pool.board->has_free());
    return is_short && free_place(pool) < pool.most;
}

bool ScriptPools::is_looked_at(const Pool& pool) {
    return pool.count > pool.bounds.least || pool.bounds.terminate_ms || pool.bounds.slow_ms;
}

bool ScriptPools::forget(pid_t pid, int status, uint64_t now_ms) {
    const auto found = processes_.find(pid);
    if (found == processes_.end()) return false;
    Pool& pool = pools_[static_cast<size_t>(found->second.pool)];
    ScriptCell& cell = pool.board->cell(found->second.place);
    --pool.count;
    if (cell.served.load() == 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        pool.not_before_ms = now_ms + (kFirstBackOffMs << std::min(pool.failures, kMostDoublings));
        ++pool.failures;
        SLUICE_ERROR("a process for scripts (pid %d) %s before it had a request", pid,
                     describe_status(status).c_str());
    } else {
        pool.failures = 0;
        if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
            SLUICE_ERROR("a process for scripts (pid %d) %s", pid, describe_status(status).c_str());
    }
    cell.pid.store(0);
    const uint64_t request = cell.request.load();
    if (request == ScriptBoard::kEnding || (request && !is_running(ScriptBoard::worker_of(request)))) {
        cell.request.store(0);
    } else if (request) {
        cell.lost.store(request);
        RequestLink sign(UniqueFd(dup(pool.of_processes[found->second.place].get())));
        sign.put_sign();
        sign.send();
    }
    processes_.erase(found);
    return true;
}

int ScriptPools::next(uint64_t now_ms) const {
    for (size_t place = 0; place < pools_.size(); ++place)
        if (pools_[place].not_before_ms <= now_ms && wants_more(pools_[place]))
            return static_cast<int>(place);
    return -1;
}

int ScriptPools::wait_ms(uint64_t now_ms) const {
    uint64_t due_ms = UINT64_MAX;
    for (const Pool& pool : pools_) {
        if (is_looked_at(pool)) due_ms = std::min(due_ms, look_due_ms_);
        if (wants_more(pool)) due_ms = std::min(due_ms, pool.not_before_ms);
    }
    if (due_ms == UINT64_MAX) return -1;
    return due_ms > now_ms ? static_cast<int>(due_ms - now_ms) : 0;
}

void ScriptPools::forget_worker(pid_t worker) {
    for (const auto& [pid, process] : processes_) {
        const ScriptCell& cell = pools_[static_cast<size_t>(process.pool)].board->cell(process.place);
        if (ScriptBoard::worker_of(cell.request.load()) == worker) kill(pid, SIGKILL);
    }
    // Those of processes that have died before.
    for (Pool& pool : pools_)
        for (unsigned place = 0; place < pool.most; ++place) {
            ScriptCell& cell = pool.board->cell(place);
            if (cell.pid.load() == 0 && ScriptBoard::worker_of(cell.request.load()) == worker)
                cell.request.store(0);
        }
}

unsigned ScriptPools::make_place(int number) {
    Pool& pool = pools_[static_cast<size_t>(number)];
    const unsigned place = free_place(pool);
    // What was on its way to the last process, or from it.
    for (const auto* ends : {&pool.of_workers, &pool.of_processes})
        RequestLink(UniqueFd(dup((*ends)[place].get()))).drop();
    ScriptCell& cell = pool.board->cell(place);
    cell.served.store(0);
    cell.ends.store(false);
    return place;
}

void ScriptPools::forked(int number, unsigned place, pid_t pid) {
    Pool& pool = pools_[static_cast<size_t>(number)];
    ++pool.count;
    pool.board->cell(place).pid.store(pid);
    processes_[pid] = {number, place};
    if (pool.board->waiting() == 0) return;
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t told = write(pool.freed.get(), &one, sizeof one);
}

void ScriptPools::end_idle(Pool& pool, uint64_t now_ms) {
    const unsigned idle = pool.board->count_free();
    if (idle < pool.least_idle || pool.count <= pool.bounds.least || pool.idle_since_ms == 0) {
        pool.least_idle = idle;
        pool.idle_since_ms = now_ms;
    }
    if (now_ms - pool.idle_since_ms < pool.bounds.idle_ms) return;
    // One stays for the next request.
    const unsigned unneeded =
        std::min(pool.count - pool.bounds.least, pool.least_idle ? pool.least_idle - 1 : 0);
    // The last ones: the first are claimed first.
    unsigned ended = 0;
    for (unsigned place = pool.most; place-- > 0 && ended < unneeded;) {
        ScriptCell& cell = pool.board->cell(place);
        uint64_t nobody = 0;
        if (cell.pid.load() == 0 || !cell.request.compare_exchange_strong(nobody, ScriptBoard::kEnding))
            continue;
        RequestLink link(UniqueFd(dup(pool.of_workers[place].get())));
        link.put_done();
        link.send();
        ++ended;
    }
    pool.least_idle = idle - ended;
    pool.idle_since_ms = now_ms;
}

std::vector<ScriptPools::Overdue> ScriptPools::look(uint64_t now_ms) {
    std::vector<Overdue> overdue;
    if (now_ms < look_due_ms_) return overdue;
    look_due_ms_ = now_ms + kLookMs;
    for (Pool& pool : pools_) {
        end_idle(pool, now_ms);
        for (const uint32_t bound_ms : {pool.bounds.terminate_ms, pool.bounds.slow_ms})
            if (bound_ms)
                look_due_ms_ =
                    std::min(look_due_ms_, now_ms + std::max<uint64_t>(bound_ms / 4, kShortestLookMs));
    }
    for (auto& [pid, process] : processes_) {
        const Pool& pool = pools_[static_cast<size_t>(process.pool)];
        const ScriptCell& cell = pool.board->cell(process.place);
        const uint64_t request = cell.request.load();
        if (request <= ScriptBoard::kEnding) continue;
        const uint64_t taken_ms = now_ms - std::min(now_ms, cell.begun_ms.load());
        const bool is_over = pool.bounds.terminate_ms && taken_ms >= pool.bounds.terminate_ms;
        const bool is_slow =
            pool.bounds.slow_ms && taken_ms >= pool.bounds.slow_ms && process.told_of != request;
        if (is_slow) process.told_of = request;
        if (is_slow) overdue.push_back({pid, taken_ms, false});
        if (is_over) overdue.push_back({pid, taken_ms, true});
    }
    return overdue;
}

ScriptSeat ScriptPools::take_seat(int number, unsigned place) {
    Pool& pool = pools_[static_cast<size_t>(number)];
    ScriptSeat seat{std::move(pool.of_processes[place]), pool.board, place, pool.bounds.requests};
    close();
    return seat;
}

void ScriptPools::close() {
    pools_.clear();
    busy_.reset();
    teller_.reset();
}

std::vector<ScriptProcesses> ScriptPools::take_processes() {
    std::vector<ScriptProcesses> taken;
    for (Pool& pool : pools_) {
        if (taken.size() <= pool.endpoint) taken.resize(pool.endpoint + size_t{1});
        taken[pool.endpoint] = ScriptProcesses(pool.board, std::move(pool.of_workers), std::move(pool.freed),
                                               UniqueFd(fcntl(teller_.get(), F_DUPFD_CLOEXEC, 0)));
    }
    close();
    return taken;
}

}  // namespace sluice
