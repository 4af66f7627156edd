#pragma once

#include <string>

#include "server/profile/profile.h"

namespace sluice {

/// What a profile says of itself.
struct ProfileAbout {
    uint64_t begun_ns = 0;     ///< since 1970
    uint64_t duration_ns = 0;  ///< 0: a profile of one moment
    ValueType period_type;     ///< between samples; empty: each event was counted
    uint64_t period = 0;
    std::vector<std::string> comments = {};
};

/// Gzipped profile.proto, which `go tool pprof`, Pyroscope and Grafana Alloy read:
/// https://github.com/google/pprof/blob/main/proto/profile.proto
std::string to_pprof(const Profile& profile, const ProfileAbout& about);

/// Folded stacks, root first: `main;f;g 17`, of the profile's last value. For flamegraph.pl and the like.
std::string to_folded(const Profile& profile);

/// A file of https://www.speedscope.app, with one profile for each value.
std::string to_speedscope(const Profile& profile, std::string_view name);

/// Compresses as gzip does (RFC 1952).
std::string to_gzip(std::string_view data);

}  // namespace sluice
