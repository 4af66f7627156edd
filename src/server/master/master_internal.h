#pragma once

#include <csignal>
#include <cstdint>
#include <vector>

#include "core/unique_fd.h"

/// What the parts of the master share, and nobody else needs: its tokens, its times, and its signals.
namespace sluice {

// What is ready, as the master's poller tells it.
inline constexpr uint64_t kSignalToken = 1;
inline constexpr uint64_t kReactorToken = 2;
inline constexpr uint64_t kWatchToken = 3;
inline constexpr uint64_t kGenerationToken = uint64_t{1} << 32;  // + number
inline constexpr uint64_t kWorkerToken = uint64_t{2} << 32;      // + slot

/// One that was ready and ended this soon is replaced after a breath.
inline constexpr uint64_t kShortLifeMs = 1000;
inline constexpr uint64_t kFirstBackOffMs = 100;
inline constexpr uint64_t kLongestBackOffMs = 10'000;
/// A server whose workers have never been ready gives up after this many boots of one of them: nobody depends
/// on it yet, and whoever starts it should see the error.
inline constexpr unsigned kFirstBootTries = 3;
/// Between asking a worker to end and killing it.
inline constexpr uint64_t kEndMs = 3000;
/// Between asking a worker to end and killing it, when the server is to stop without draining.
inline constexpr uint64_t kHurryMs = 1000;

/// Of a process with all connections: memory, doorbells, listeners, and what PHP and its extensions open.
inline constexpr unsigned kOwnDescriptors = 256;

inline constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD};

/// In the master they are read from a descriptor.
void block_signals(bool block);

std::vector<int> raw_fds(const std::vector<UniqueFd>& fds);

}  // namespace sluice
