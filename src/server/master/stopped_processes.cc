#include "server/master/stopped_processes.h"

#include <algorithm>
#include <climits>

namespace sluice {

void StoppedProcesses::stopped(pid_t pid, int signal, uint64_t now_ms) {
    const uint64_t tell_ms = kill_ms_ ? std::min(kTellMs, kill_ms_ / 2) : kTellMs;
    processes_[pid] = {.signal = signal, .since_ms = now_ms, .due_ms = now_ms + tell_ms};
}

std::optional<uint64_t> StoppedProcesses::forget(pid_t pid, uint64_t now_ms) {
    const auto found = processes_.find(pid);
    if (found == processes_.end()) return std::nullopt;
    const Process process = found->second;
    processes_.erase(found);
    if (!process.is_told) return std::nullopt;
    return now_ms - process.since_ms;
}

std::optional<StoppedProcesses::Due> StoppedProcesses::next(uint64_t now_ms) {
    for (auto& [pid, process] : processes_) {
        if (!process.due_ms || process.due_ms > now_ms) continue;
        if (!process.was_due) {
            process.was_due = true;
            process.due_ms = now_ms + kLookAgainMs;
            continue;
        }
        const bool is_over = process.is_told;
        process.is_told = true;
        process.was_due = false;
        process.due_ms = is_over || !kill_ms_ ? 0 : process.since_ms + kill_ms_;
        return Due{pid, process.signal, now_ms - process.since_ms, is_over};
    }
    return std::nullopt;
}

int StoppedProcesses::wait_ms(uint64_t now_ms) const {
    uint64_t next_ms = UINT64_MAX;
    for (const auto& [pid, process] : processes_) {
        if (process.due_ms) next_ms = std::min(next_ms, process.due_ms);
    }
    if (next_ms == UINT64_MAX) return -1;
    return static_cast<int>(std::min<uint64_t>(next_ms > now_ms ? next_ms - now_ms : 0, INT_MAX));
}

}  // namespace sluice
