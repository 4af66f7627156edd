#pragma once

#include <csignal>
#include <cstdint>
#include <vector>

#include "core/unique_fd.h"

/// What the master's source files share: tokens, times, and signals.
namespace sluice {

// Tokens of the master's poller.
inline constexpr uint64_t kSignalToken = 1;
inline constexpr uint64_t kReactorToken = 2;
inline constexpr uint64_t kWatchToken = 3;
inline constexpr uint64_t kObserverToken = 4;
inline constexpr uint64_t kSuccessorToken = 5;
inline constexpr uint64_t kPredecessorToken = 6;
inline constexpr uint64_t kGenerationToken = uint64_t{1} << 32;  // + number
inline constexpr uint64_t kWorkerToken = uint64_t{2} << 32;      // + slot

/// A worker that was ready and ended sooner than this is replaced with a short delay.
inline constexpr uint64_t kShortLifeMs = 1000;
/// A service that has run for this long after a crash is no longer one that crashes again and again.
inline constexpr uint64_t kSteadyMs = 60'000;
/// After this many crashes in a row, none of a process that has run for kSteadyMs, health checks tell of a
/// service.
inline constexpr unsigned kCrashesInALoop = 3;
inline constexpr uint64_t kFirstBackOffMs = 100;
inline constexpr uint64_t kLongestBackOffMs = 10'000;
/// A server that has never had a ready worker gives up after this many boots of one instance: nobody depends
/// on it yet, and its operator should see the error.
inline constexpr unsigned kFirstBootTries = 3;
/// Between asking a worker to end and killing it.
inline constexpr uint64_t kEndMs = 3000;
/// Between asking a worker to end and killing it, when the server is to stop without draining.
inline constexpr uint64_t kHurryMs = 1000;

/// Descriptors of a process beside its connections: memory, doorbells, listeners, PHP and its extensions.
inline constexpr unsigned kOwnDescriptors = 256;

inline constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT, SIGCHLD};

/// Blocks or unblocks the signals that the master reads from a signalfd.
void block_signals(bool block);

std::vector<int> raw_fds(const std::vector<UniqueFd>& fds);

}  // namespace sluice
