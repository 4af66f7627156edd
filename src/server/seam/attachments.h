#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/seam/attached.h"
#include "server/seam/connection_id.h"
#include "server/seam/shared_layout.h"
#include "server/sharing/budget.h"

namespace sluice {

/// What the application has attached to connections of one reactor, in shared memory that workers read. It is
/// stored in blocks; their free list is private, so a process that can write to that memory cannot corrupt
/// it. Memory is touched only once something is attached. Not thread-safe.
class Attachments {
  public:
    /// `most_bytes`: limit for one connection.
    Attachments(const SharedLayout& layout, unsigned reactor, size_t most_bytes);
    Attachments(const Attachments&) = delete;
    Attachments& operator=(const Attachments&) = delete;

    /// Replaces what was attached before. False, and the old data stays, when `data` is too long, there is
    /// no room, or the client (Connection::client_key()) has its share of it. Empty `data` removes it.
    bool attach(ConnectionId id, uint64_t client, std::string_view data);
    /// The connection has ended. Does nothing when nothing is attached.
    void drop(ConnectionId id);

  private:
    struct Held {
        uint32_t first;
        uint32_t blocks;
        uint64_t client;
    };
    static constexpr uint32_t kNil = UINT32_MAX;

    uint32_t take_block();
    void give_back(const Held& held);
    void count() const;

    const SharedLayout& layout_;
    unsigned reactor_;
    size_t most_bytes_;
    std::unordered_map<ConnectionId, Held> held_;
    std::vector<uint32_t> next_;  ///< for each block ever used: the next one of its data, or of the free list
    uint32_t free_ = kNil;
    Budget blocks_;
};

// For a worker: two steps, so that it can allocate memory in between.

/// Empty also when the connection has gone.
Attached find_attached(const SharedLayout& layout, ConnectionId id);
/// False when the data has changed meanwhile: call find_attached() again.
bool read_attached(const SharedLayout& layout, ConnectionId id, const Attached& found, char* to);

}  // namespace sluice
