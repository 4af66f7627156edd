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

/// The value of a key.
struct SharedValue {
    enum class Kind : uint8_t { kNull, kFalse, kTrue, kInt, kDouble, kString, kSerialized };

    Kind kind = Kind::kNull;
    int64_t number = 0;      ///< of kInt; of kDouble its bits
    std::string_view bytes;  ///< of kString and kSerialized
};

/// A hash map of bounded size in memory that several processes share. Any process may be killed at any
/// instruction: its write is there as a whole or not at all, and the next process that takes the lock repairs
/// the shard.
///
/// The memory is divided into shards with a lock each, and a shard into blocks. An entry is a chain of
/// blocks; it is written where no other process sees it, and one store puts it in the place of the old
/// one. So a death can leave behind only leaked blocks and counts that are off by one: rebuild() finds
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
        kNot,       ///< the condition does not hold, or the key is missing
        kFull,      ///< no room, and nothing that may be evicted
        kTooLong,   ///< more than most_value_bytes()
        kNoInt,     ///< the value is not an int
        kOverflow,  ///< the sum is out of range
        kStuck,     ///< the lock's holder has been stopped by a signal
    };
    enum class Condition : uint8_t { kNone, kAbsent, kVersion };

    struct Found {
        SharedValue::Kind kind = SharedValue::Kind::kNull;
        int64_t number = 0;
        uint64_t version = 0;  ///< differs after each change
    };
    struct Figures {
        size_t entries = 0;     ///< including expired ones that nobody has come upon yet
        size_t used_bytes = 0;  ///< whole blocks
        size_t bytes = 0;       ///< of all blocks
        uint64_t evicted = 0;
        uint64_t rebuilt = 0;  ///< how often a process has died during a change
    };

    SharedMap() = default;
    /// Makes an empty map, once, of zeroed memory of a permitted size. `secret` keys the hash, so that
    /// clients who choose keys cannot make them collide.
    static SharedMap format(std::span<char> memory, WhenFull when_full, uint64_t secret);
    /// Uses memory that another process has formatted.
    static SharedMap attach(std::span<char> memory);

    explicit operator bool() const { return header_; }
    /// The longest entry: key and value together, as they are stored.
    size_t most_value_bytes() const;

    // `now_ms` and times of expiry are of the monotonic clock. Keys have 1 to kMostKeyBytes bytes.

    /// `bytes` gets the bytes of a string value.
    Outcome get(std::string_view key, uint64_t now_ms, Found& found, std::string& bytes) const;
    Outcome put(std::string_view key, const SharedValue& value, uint64_t now_ms, uint64_t expires_ms,
                Condition condition = Condition::kNone, uint64_t version = 0) const;
    /// Adds to an int. A missing one begins at 0 and expires at `expires_ms`; an old one keeps its expiry.
    Outcome add(std::string_view key, int64_t by, uint64_t now_ms, uint64_t expires_ms, int64_t& sum) const;
    Outcome remove(std::string_view key, uint64_t now_ms, Condition condition = Condition::kNone,
                   uint64_t version = 0) const;
    bool clear() const;
    /// All keys that have not expired, in no order. False where other calls return kStuck.
    bool list_keys(std::string_view prefix, uint64_t now_ms, std::vector<std::string>& keys) const;
    bool figures(Figures& figures) const;
    /// Figures without the lock, for a process that only looks: it never waits, and one change may be missing,
    /// or be there in part. All that stands in the memory may be wrong. False: it is no map.
    static bool look(std::span<const char> memory, Figures& figures);
    /// Whether each shard is consistent, as rebuild() checks first. For tests.
    bool is_sound() const;

  private:
    struct Header;
    struct Shard;
    union Block;
    class View;
    class Locked;

    static void add(const Header& header, const Shard& shard, Figures& figures);
    Shard* shard(size_t index) const;
    View view_of(uint64_t hash) const;
    uint64_t hash_of(std::string_view key) const;

    Header* header_ = nullptr;
};

}  // namespace sluice
