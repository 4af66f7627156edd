#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/robust_mutex.h"

namespace sluice {

/// What stands under a key.
struct SharedValue {
    enum class Kind : uint8_t { kNull, kFalse, kTrue, kInt, kDouble, kString, kSerialized };

    Kind kind = Kind::kNull;
    int64_t number = 0;      ///< of kInt; of kDouble its bits
    std::string_view bytes;  ///< of kString and kSerialized
};

/// A hash map of bounded size in memory that several processes share. Any of them may be killed at any
/// instruction: what it was writing is there as a whole or not at all, and what it had locked is mended by
/// who comes next.
///
/// The memory is divided into shards with a lock each, and a shard into blocks. An entry is a chain of
/// blocks; it is written where nobody sees it, and one store puts it in the place of the old one. So all that
/// a death can leave behind is blocks that belong to nobody and counts that are off by one: rebuild() finds
/// both.
class SharedMap {
  public:
    static constexpr size_t kLeastBytes = 64 << 10;
    static constexpr size_t kMostBytes = size_t{64} << 30;
    static constexpr size_t kMostKeyBytes = 1024;
    static constexpr uint64_t kForEver = std::numeric_limits<uint64_t>::max();

    enum class WhenFull : uint8_t { kRefuse, kEvict };
    enum class Outcome : uint8_t {
        kDone,
        kNot,       ///< it is not as the condition wants it, or nothing is there
        kFull,      ///< no room, and nothing that may be evicted
        kTooLong,   ///< more than most_value_bytes()
        kNoInt,     ///< what stands there is none
        kOverflow,  ///< the sum is out of range
        kStuck,     ///< who holds the lock has been stopped
    };
    enum class Condition : uint8_t { kNone, kAbsent, kVersion };

    struct Found {
        SharedValue::Kind kind = SharedValue::Kind::kNull;
        int64_t number = 0;
        uint64_t version = 0;  ///< another one with each change
    };
    struct Figures {
        size_t entries = 0;     ///< with those that have expired and that nobody has come upon since
        size_t used_bytes = 0;  ///< whole blocks
        size_t bytes = 0;       ///< of all blocks
        uint64_t evicted = 0;
        uint64_t rebuilt = 0;  ///< how often a process has died in the midst of a change
    };

    SharedMap() = default;
    /// Memory of any of the permitted sizes, zeroed: made an empty map, once. `secret` keeps those who choose
    /// keys from choosing where they stand.
    static SharedMap format(std::span<char> memory, WhenFull when_full, uint64_t secret);
    /// Memory that another process has formatted.
    static SharedMap attach(std::span<char> memory);

    explicit operator bool() const { return header_; }
    /// Key and value together, as they are stored.
    size_t most_value_bytes() const;

    // `now_ms` is of the monotonic clock, and so are times of expiry. Keys have 1 to kMostKeyBytes bytes.

    /// `bytes` gets what the value has of them.
    Outcome get(std::string_view key, uint64_t now_ms, Found& found, std::string& bytes) const;
    Outcome put(std::string_view key, const SharedValue& value, uint64_t now_ms, uint64_t expires_ms,
                Condition condition = Condition::kNone, uint64_t version = 0) const;
    /// To an int, which begins at 0 and then expires at `expires_ms`; one that is there keeps its time.
    Outcome add(std::string_view key, int64_t by, uint64_t now_ms, uint64_t expires_ms, int64_t& sum) const;
    Outcome remove(std::string_view key, uint64_t now_ms, Condition condition = Condition::kNone,
                   uint64_t version = 0) const;
    bool clear() const;
    /// All that have not expired, in no order. False: as kStuck.
    bool list_keys(std::string_view prefix, uint64_t now_ms, std::vector<std::string>& keys) const;
    bool figures(Figures& figures) const;
    /// What every rebuild() begins with: whether each shard hangs together. For tests.
    bool is_sound() const;

  private:
    struct Header;
    struct Shard;
    union Block;
    class View;
    class Locked;

    Shard* shard(size_t index) const;
    View view_of(uint64_t hash) const;
    uint64_t hash_of(std::string_view key) const;

    Header* header_ = nullptr;
};

}  // namespace sluice
