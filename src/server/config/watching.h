#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// The files whose change makes the server reload.
struct Watching {
    std::vector<std::string> paths;  ///< folders and files; empty: nothing is watched
    std::vector<std::string> names;  ///< patterns of the files that count
    uint32_t quiet_ms = 0;           ///< after the last change

    bool operator==(const Watching&) const = default;
};

}  // namespace sluice
