#pragma once

#include <cstdint>

namespace sluice {

/// Whom room in an arena is for, and whether it is for a whole message or for a part of one.
struct ArenaClaim {
    uint64_t client = 0;  ///< Connection::client_key(); 0: charged to nobody
    bool is_whole = true;
};

}  // namespace sluice
