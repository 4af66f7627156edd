#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/seam/attached.h"
#include "server/seam/connection_id.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// What the application has attached to connections of one reactor, kept in memory that workers read. In
/// blocks, whose order only this class knows: nobody who can write to that memory can mislead it. Nothing is
/// touched before something is attached. One thread.
class Attachments {
  public:
    /// `most_bytes`: of one connection.
    Attachments(const SharedLayout& layout, unsigned reactor, size_t most_bytes)
        : layout_(layout), reactor_(reactor), most_bytes_(most_bytes) {}
    Attachments(const Attachments&) = delete;
    Attachments& operator=(const Attachments&) = delete;

    /// Instead of what was attached before, which stays when this is false: it is too long, or there is no
    /// room. Empty: nothing is attached any more.
    bool attach(ConnectionId id, std::string_view data);
    /// The connection has ended. Does nothing when nothing is attached.
    void drop(ConnectionId id);

  private:
    struct Held {
        uint32_t first;
        uint32_t blocks;
    };
    static constexpr uint32_t kNil = UINT32_MAX;

    size_t room() const;
    uint32_t take_block();
    void give_back(const Held& held);
    void count(size_t blocks) const;

    const SharedLayout& layout_;
    unsigned reactor_;
    size_t most_bytes_;
    std::unordered_map<ConnectionId, Held> held_;
    std::vector<uint32_t> next_;  ///< of each block that was ever used: behind it, or the next free one
    uint32_t free_ = kNil;
    size_t free_blocks_ = 0;  ///< of those
};

// For a worker, in two steps, so that it gets memory in between.

/// Nothing when the connection has gone, too.
Attached find_attached(const SharedLayout& layout, ConnectionId id);
/// False when it has changed meanwhile: find it anew.
bool read_attached(const SharedLayout& layout, ConnectionId id, const Attached& found, char* to);

}  // namespace sluice
