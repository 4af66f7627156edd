#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/identity.h"

namespace sluice {

/// How the server's processes run: what only matters to whoever operates it.
struct Operations {
    std::optional<Identity> identity;  ///< of all processes but the master
    int umask = -1;                    ///< -1: that of the server's start
    std::string crash_folder;          ///< empty: crashes are told in the log alone
    bool logs_json = false;
    uint8_t least_level = 0;  ///< of log::Level
};

}  // namespace sluice
