#pragma once

#include <string>

namespace sluice {

/// Processes of the application's own beside the workers, that no messages go to.
struct ServiceSpec {
    static constexpr size_t kMostNameBytes = 64;
    static constexpr unsigned kMostProcesses = 64;  ///< of all services together

    std::string name;  ///< unique
    unsigned processes = 1;
    /// Of a pool of tasks: the others of its generation ask it, so it is there before them and after them.
    bool is_pool = false;

    /// As the log and `ps` say it.
    static const char* kind_of(bool is_pool) { return is_pool ? "pool" : "service"; }

    bool operator==(const ServiceSpec&) const = default;
};

/// Letters, digits, and `.`, `_`, `-`: it stands in the log, and in what `ps` shows.
bool is_service_name(const std::string& name);

}  // namespace sluice
