#include "shared/shared_map.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace sluice {

namespace {

constexpr uint64_t kMagic = 0x53'6c'75'69'63'65'4d'31;
constexpr size_t kBlockBytes = 128;
constexpr size_t kMostShards = 64;
/// A smaller shard would let more processes write at a time, but refuse longer values.
constexpr size_t kShardBytes = size_t{4} << 20;
/// The longest entry is one part of a shard. Where nothing is evicted, one more part is reserved for new
/// values of existing keys, for the old value stays until the new one is in place.
constexpr size_t kParts = 16;

enum State : uint8_t { kFree, kHead, kMore };

/// A block's number, from 1, so that zeroed memory names no block.
using Link = uint32_t;
constexpr Link kNone = 0;

/// A store that the compiler does not reorder, so that who repairs this memory after a death finds all stores
/// in program order. Processors need no fence: a dead process's stores have retired in order.
template <typename T>
void put_in_order(T& place, T value) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    std::atomic_ref<T>(place).store(value, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

uint64_t fold(uint64_t a, uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

struct SharedMap::Header {
    uint64_t magic;
    uint64_t secret;
    uint64_t shard_bytes;
    uint32_t shards;
    uint32_t blocks;   ///< of each shard
    uint32_t buckets;  ///< of each shard, a power of two
    WhenFull when_full;
};

struct alignas(64) SharedMap::Shard {
    RobustMutex mutex;
    Link free;  ///< the first free one of those used before
    uint32_t free_blocks;
    uint32_t fresh;  ///< blocks beyond this number have never been used
    uint32_t entries;
    uint32_t hand;  ///< where the next search for something to evict begins
    uint64_t versions;
    uint64_t evicted;
    uint64_t rebuilt;
};

union SharedMap::Block {
    struct {
        Link next;  ///< entry of the bucket
        Link more;
        uint64_t hash;
        uint64_t expires_ms;
        uint64_t version;
        int64_t number;
        uint32_t value_bytes;
        uint16_t key_bytes;
        SharedValue::Kind kind;
        uint8_t used;  ///< since the hand has last passed
        char bytes[80];
    } head;
    struct {
        Link next;
        char bytes[kBlockBytes - sizeof(Link)];
    } more;
};

namespace {
constexpr size_t kHeadBytes = 80;
constexpr size_t kMoreBytes = kBlockBytes - sizeof(Link);

size_t blocks_for(size_t bytes) {
    return bytes <= kHeadBytes ? 1 : 1 + (bytes - kHeadBytes + kMoreBytes - 1) / kMoreBytes;
}
}  // namespace

/// A shard and where its parts are. All methods but find() and free_of() need the shard's lock.
class SharedMap::View {
  public:
    View(const Header& header, Shard* shard) : header_(header), shard_(shard) {
        static_assert(sizeof(Block) == kBlockBytes);
        char* const at = reinterpret_cast<char*>(shard) + sizeof(Shard);
        buckets_ = reinterpret_cast<Link*>(at);
        states_ = reinterpret_cast<uint8_t*>(at + header.buckets * sizeof(Link));
        blocks_ =
            reinterpret_cast<Block*>(at + header.buckets * sizeof(Link) + (header.blocks + 63) / 64 * 64);
    }

    Shard& shard() const { return *shard_; }
    Link* bucket_of(uint64_t hash) const { return &buckets_[hash & (header_.buckets - 1)]; }
    auto& head(Link link) const { return blocks_[link - 1].head; }
    auto& more(Link link) const { return blocks_[link - 1].more; }

    /// The link that leads to the entry of this key; nullptr when there is none.
    Link* find(uint64_t hash, std::string_view key) const {
        Link* link = bucket_of(hash);
        for (uint32_t steps = 0; is_block(*link) && steps <= shard_->entries; ++steps) {
            auto& entry = head(*link);
            if (entry.hash == hash && entry.key_bytes == key.size() && has_key(entry, key)) return link;
            link = &entry.next;
        }
        return nullptr;
    }
    Link* find_live(uint64_t hash, std::string_view key, uint64_t now_ms) const {
        Link* const link = find(hash, key);
        if (!link || head(*link).expires_ms > now_ms) return link;
        remove(link);
        return nullptr;
    }

    void read_key(Link link, std::string& key) const {
        key.resize(head(link).key_bytes);
        read(link, 0, key.data(), key.size());
    }
    void read_value(Link link, std::string& value) const {
        value.resize(head(link).value_bytes);
        read(link, head(link).key_bytes, value.data(), value.size());
    }

    /// Takes `count` free blocks as a chain that nobody else knows; kNone when there are too few.
    /// `may_reserve`: may take those that are reserved for new values.
    Link take(size_t count, bool may_reserve, uint64_t now_ms) const {
        const size_t reserve =
            may_reserve || header_.when_full == WhenFull::kEvict ? 0 : header_.blocks / kParts;
        if (free_blocks() < count + reserve) make_room(count + reserve, now_ms);
        if (free_blocks() < count + reserve) return kNone;
        Link chain = kNone;
        for (size_t taken = 0; taken < count; ++taken) {
            const Link block = take_block();
            const bool is_head = taken + 1 == count;
            states_[block - 1] = is_head ? kHead : kMore;
            (is_head ? head(block).more : more(block).next) = chain;
            chain = block;
        }
        return chain;
    }

    void write(Link link, std::string_view key, std::string_view value) const {
        size_t at = 0;
        write_part(link, at, key);
        write_part(link, at, value);
    }

    /// Puts the entry in the place of the one that `link` leads to, or first in its bucket.
    void publish(Link entry, Link* link, Link* bucket) const {
        const Link old = link ? *link : kNone;
        head(entry).next = link ? head(old).next : *bucket;
        put_in_order(link ? *link : *bucket, entry);
        if (link) {
            give_back(old);
        } else {
            ++shard_->entries;
        }
    }

    void remove(Link* link) const {
        const Link entry = *link;
        put_in_order(*link, head(entry).next);
        --shard_->entries;
        give_back(entry);
    }

    void clear() const {
        for (uint32_t bucket = 0; bucket < header_.buckets; ++bucket)
            if (buckets_[bucket] != kNone) put_in_order(buckets_[bucket], kNone);
        shard_->entries = 0;
        shard_->fresh = shard_->free_blocks = shard_->hand = 0;
        shard_->free = kNone;
        memset(states_, kFree, header_.blocks);
    }

    uint64_t next_version() const { return ++shard_->versions; }
    size_t free_blocks() const { return shard_->free_blocks + (header_.blocks - shard_->fresh); }
    size_t used_blocks() const { return header_.blocks - free_blocks(); }

    /// Restores a consistent shard after a process has died while it held the lock.
    void rebuild() const {
        ++shard_->rebuilt;
        shard_->entries = 0;
        shard_->fresh = std::min(shard_->fresh, header_.blocks);
        memset(states_, kFree, header_.blocks);
        for (uint32_t bucket = 0; bucket < header_.buckets; ++bucket) {
            Link* link = &buckets_[bucket];
            while (*link != kNone) {
                if (!claim(*link, bucket)) {
                    put_in_order(*link, kNone);
                    break;
                }
                // A version that was read before the death must not match an entry that may be half changed.
                head(*link).version = next_version();
                ++shard_->entries;
                link = &head(*link).next;
            }
        }
        shard_->free = kNone;
        shard_->free_blocks = 0;
        for (Link block = shard_->fresh; block >= 1; --block)
            if (states_[block - 1] == kFree) push_free(block);
    }

    /// Whether each block is part of one entry or free, and the counts say so.
    bool is_sound() const {
        std::vector<uint8_t> seen(header_.blocks, kFree);
        uint32_t entries = 0;
        const auto mark = [&](Link link, State as) {
            if (!is_block(link) || link > shard_->fresh || seen[link - 1] != kFree || states_[link - 1] != as)
                return false;
            seen[link - 1] = as;
            return true;
        };
        for (uint32_t bucket = 0; bucket < header_.buckets; ++bucket) {
            for (Link link = buckets_[bucket]; link != kNone; link = head(link).next) {
                if (!mark(link, kHead) || (head(link).hash & (header_.buckets - 1)) != bucket) return false;
                size_t blocks = 1;
                for (Link part = head(link).more; part != kNone; part = more(part).next, ++blocks)
                    if (!mark(part, kMore)) return false;
                if (blocks != blocks_for(size_t{head(link).key_bytes} + head(link).value_bytes)) return false;
                ++entries;
            }
        }
        uint32_t free = 0;
        for (Link link = shard_->free; link != kNone; link = more(link).next, ++free) {
            if (!is_block(link) || link > shard_->fresh || seen[link - 1] != kFree ||
                states_[link - 1] != kFree)
                return false;
            seen[link - 1] = kMore;
        }
        const auto lost = std::count(seen.begin(), seen.begin() + shard_->fresh, uint8_t{kFree});
        return entries == shard_->entries && free == shard_->free_blocks && lost == 0;
    }

    template <typename F>
    void for_each(F&& f) const {
        for (uint32_t bucket = 0; bucket < header_.buckets; ++bucket) {
            uint32_t steps = 0;
            for (Link link = buckets_[bucket]; is_block(link) && steps++ <= shard_->entries;
                 link = head(link).next)
                f(link);
        }
    }

  private:
    bool is_block(Link link) const { return link - 1 < header_.blocks; }

    template <typename F>
    bool each_part(Link link, size_t offset, size_t bytes, F&& f) const {
        size_t begins = 0;
        Link part = link;
        for (bool is_head = true; bytes > 0; is_head = false) {
            if (!is_block(part)) return false;
            char* const data = is_head ? head(part).bytes : more(part).bytes;
            const size_t size = is_head ? kHeadBytes : kMoreBytes;
            if (offset < begins + size) {
                const size_t within = offset - begins;
                const size_t here = std::min(bytes, size - within);
                if (!f(data + within, here)) return false;
                offset += here;
                bytes -= here;
            }
            begins += size;
            part = is_head ? head(part).more : more(part).next;
        }
        return true;
    }
    template <typename Entry>
    bool has_key(const Entry& entry, std::string_view key) const {
        const Link link = static_cast<Link>(reinterpret_cast<const Block*>(&entry) - blocks_) + 1;
        size_t at = 0;
        return each_part(link, 0, key.size(), [&](const char* data, size_t bytes) {
            const bool same = memcmp(data, key.data() + at, bytes) == 0;
            at += bytes;
            return same;
        });
    }
    void read(Link link, size_t offset, char* to, size_t bytes) const {
        each_part(link, offset, bytes, [&to](const char* data, size_t here) {
            memcpy(to, data, here);
            to += here;
            return true;
        });
    }
    void write_part(Link link, size_t& at, std::string_view text) const {
        const char* from = text.data();
        each_part(link, at, text.size(), [&from](char* data, size_t here) {
            memcpy(data, from, here);
            from += here;
            return true;
        });
        at += text.size();
    }

    Link take_block() const {
        if (shard_->free == kNone) return ++shard_->fresh;
        const Link block = shard_->free;
        shard_->free = more(block).next;
        --shard_->free_blocks;
        return block;
    }
    void push_free(Link block) const {
        states_[block - 1] = kFree;
        more(block).next = shard_->free;
        shard_->free = block;
        ++shard_->free_blocks;
    }
    void give_back(Link entry) const {
        Link part = head(entry).more;
        push_free(entry);
        while (part != kNone) {
            const Link next = more(part).next;
            push_free(part);
            part = next;
        }
    }

    /// The clock hand (CLOCK eviction) goes round: it removes expired entries and, where the map may evict,
    /// those not used since it last passed.
    void make_room(size_t blocks, uint64_t now_ms) const {
        for (uint64_t steps = 0; steps < uint64_t{2} * shard_->fresh && free_blocks() < blocks; ++steps) {
            shard_->hand = shard_->hand >= shard_->fresh ? 1 : shard_->hand + 1;
            if (states_[shard_->hand - 1] != kHead) continue;
            auto& entry = head(shard_->hand);
            const bool expired = entry.expires_ms <= now_ms;
            if (!expired && header_.when_full == WhenFull::kRefuse) continue;
            if (!expired && entry.used) {
                entry.used = 0;
                continue;
            }
            Link* link = bucket_of(entry.hash);
            while (is_block(*link) && *link != shard_->hand)
                link = &head(*link).next;
            if (!is_block(*link)) continue;
            remove(link);
            if (!expired) ++shard_->evicted;
        }
    }

    /// Marks the blocks of an entry as taken; false, with nothing marked, when its chain is not valid.
    bool claim(Link link, uint32_t bucket) const {
        if (!is_block(link) || link > shard_->fresh || states_[link - 1] != kFree) return false;
        const auto& entry = head(link);
        if ((entry.hash & (header_.buckets - 1)) != bucket) return false;
        const size_t blocks = blocks_for(size_t{entry.key_bytes} + entry.value_bytes);
        size_t passed = 1;
        for (Link part = entry.more; part != kNone; part = more(part).next, ++passed)
            if (passed == blocks || !is_block(part) || part > shard_->fresh || states_[part - 1] != kFree)
                return false;
        if (passed != blocks) return false;
        states_[link - 1] = kHead;
        for (Link part = entry.more; part != kNone; part = more(part).next)
            states_[part - 1] = kMore;
        return true;
    }

    const Header& header_;
    Shard* shard_;
    Link* buckets_;
    uint8_t* states_;
    Block* blocks_;
};

class SharedMap::Locked {
  public:
    explicit Locked(const View& view) : view_(view) {
        switch (view_.shard().mutex.lock()) {
            case RobustMutex::Result::kTimedOut: return;
            case RobustMutex::Result::kOwnerDied:
                view_.rebuild();
                view_.shard().mutex.repaired();
                break;
            case RobustMutex::Result::kLocked: break;
        }
        locked_ = true;
    }
    ~Locked() {
        if (locked_) view_.shard().mutex.unlock();
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

    explicit operator bool() const { return locked_; }

  private:
    const View& view_;
    bool locked_ = false;
};

SharedMap SharedMap::format(std::span<char> memory, WhenFull when_full, uint64_t secret) {
    SharedMap map;
    map.header_ = reinterpret_cast<Header*>(memory.data());
    Header& header = *map.header_;
    header.magic = kMagic;
    header.secret = secret | 1;
    header.when_full = when_full;
    const size_t room = memory.size() - sizeof(Shard);  // the map's header takes the room of one Shard
    header.shards = static_cast<uint32_t>(std::clamp<size_t>(room / kShardBytes, 1, kMostShards));
    header.shard_bytes = room / header.shards / 64 * 64;
    // A block, its state, and half a bucket.
    const size_t most = (header.shard_bytes - sizeof(Shard) - 64) / (kBlockBytes + 1 + sizeof(Link));
    header.buckets = static_cast<uint32_t>(std::bit_floor(std::min<size_t>(most, UINT32_MAX / 2)));
    header.blocks = static_cast<uint32_t>(
        (header.shard_bytes - sizeof(Shard) - header.buckets * sizeof(Link) - 64) / (kBlockBytes + 1));
    for (uint32_t index = 0; index < header.shards; ++index)
        map.shard(index)->mutex.init();
    return map;
}

SharedMap SharedMap::attach(std::span<char> memory) {
    SharedMap map;
    Header* const header = reinterpret_cast<Header*>(memory.data());
    if (memory.size() >= kLeastBytes && header->magic == kMagic) map.header_ = header;
    return map;
}

SharedMap::Shard* SharedMap::shard(size_t index) const {
    static_assert(sizeof(Header) <= sizeof(Shard));
    return reinterpret_cast<Shard*>(reinterpret_cast<char*>(header_) + sizeof(Shard) +
                                    index * header_->shard_bytes);
}

SharedMap::View SharedMap::view_of(uint64_t hash) const {
    return {*header_, shard((hash >> 40) % header_->shards)};
}

size_t SharedMap::most_value_bytes() const {
    return (header_->blocks / kParts - 1) * kMoreBytes;
}

uint64_t SharedMap::hash_of(std::string_view key) const {
    uint64_t hash = header_->secret ^ key.size();
    for (size_t at = 0; at < key.size(); at += 8) {
        uint64_t word = 0;
        memcpy(&word, key.data() + at, std::min<size_t>(8, key.size() - at));
        hash = fold(hash ^ word, header_->secret ^ 0x9e37'79b9'7f4a'7c15);
    }
    return fold(hash ^ 0xd6e8'feb8'6659'fd93, 0xa076'1d64'78bd'642f);
}

SharedMap::Outcome SharedMap::get(std::string_view key, uint64_t now_ms, Found& found,
                                  std::string& bytes) const {
    const uint64_t hash = hash_of(key);
    const View view = view_of(hash);
    const Locked locked(view);
    if (!locked) return Outcome::kStuck;
    Link* const link = view.find_live(hash, key, now_ms);
    if (!link) return Outcome::kNot;
    auto& entry = view.head(*link);
    if (!entry.used) entry.used = 1;
    found = {entry.kind, entry.number, entry.version};
    view.read_value(*link, bytes);
    return Outcome::kDone;
}

SharedMap::Outcome SharedMap::put(std::string_view key, const SharedValue& value, uint64_t now_ms,
                                  uint64_t expires_ms, Condition condition, uint64_t version) const {
    if (key.size() + value.bytes.size() > most_value_bytes()) return Outcome::kTooLong;
    const uint64_t hash = hash_of(key);
    const View view = view_of(hash);
    const Locked locked(view);
    if (!locked) return Outcome::kStuck;
    Link* link = view.find_live(hash, key, now_ms);
    if (condition == Condition::kAbsent && link) return Outcome::kNot;
    if (condition == Condition::kVersion && (!link || view.head(*link).version != version))
        return Outcome::kNot;
    const Link entry = view.take(blocks_for(key.size() + value.bytes.size()), link != nullptr, now_ms);
    if (entry == kNone) return Outcome::kFull;
    // Making room may have evicted the old value, or the entry whose link led to it.
    if (link) link = view.find(hash, key);
    auto& head = view.head(entry);
    head.hash = hash;
    head.expires_ms = expires_ms;
    head.version = view.next_version();
    head.number = value.number;
    head.value_bytes = static_cast<uint32_t>(value.bytes.size());
    head.key_bytes = static_cast<uint16_t>(key.size());
    head.kind = value.kind;
    head.used = link != nullptr;
    view.write(entry, key, value.bytes);
    view.publish(entry, link, view.bucket_of(hash));
    return Outcome::kDone;
}

SharedMap::Outcome SharedMap::add(std::string_view key, int64_t by, uint64_t now_ms, uint64_t expires_ms,
                                  int64_t& sum) const {
    const uint64_t hash = hash_of(key);
    const View view = view_of(hash);
    for (;;) {
        {
            const Locked locked(view);
            if (!locked) return Outcome::kStuck;
            if (Link* const link = view.find_live(hash, key, now_ms)) {
                auto& entry = view.head(*link);
                if (entry.kind != SharedValue::Kind::kInt) return Outcome::kNoInt;
                if (__builtin_add_overflow(entry.number, by, &sum)) return Outcome::kOverflow;
                put_in_order(entry.number, sum);
                entry.version = view.next_version();
                entry.used = 1;
                return Outcome::kDone;
            }
        }
        sum = by;
        const Outcome outcome =
            put(key, {SharedValue::Kind::kInt, by, {}}, now_ms, expires_ms, Condition::kAbsent);
        if (outcome != Outcome::kNot) return outcome;
    }
}

SharedMap::Outcome SharedMap::remove(std::string_view key, uint64_t now_ms, Condition condition,
                                     uint64_t version) const {
    const uint64_t hash = hash_of(key);
    const View view = view_of(hash);
    const Locked locked(view);
    if (!locked) return Outcome::kStuck;
    Link* const link = view.find_live(hash, key, now_ms);
    if (!link || (condition == Condition::kVersion && view.head(*link).version != version))
        return Outcome::kNot;
    view.remove(link);
    return Outcome::kDone;
}

bool SharedMap::clear() const {
    for (uint32_t index = 0; index < header_->shards; ++index) {
        const View view(*header_, shard(index));
        const Locked locked(view);
        if (!locked) return false;
        view.clear();
    }
    return true;
}

bool SharedMap::list_keys(std::string_view prefix, uint64_t now_ms, std::vector<std::string>& keys) const {
    std::string key;
    for (uint32_t index = 0; index < header_->shards; ++index) {
        const View view(*header_, shard(index));
        const Locked locked(view);
        if (!locked) return false;
        view.for_each([&](Link link) {
            if (view.head(link).expires_ms <= now_ms) return;
            view.read_key(link, key);
            if (key.starts_with(prefix)) keys.push_back(key);
        });
    }
    return true;
}

bool SharedMap::figures(Figures& figures) const {
    for (uint32_t index = 0; index < header_->shards; ++index) {
        const View view(*header_, shard(index));
        const Locked locked(view);
        if (!locked) return false;
        add(*header_, view.shard(), figures);
    }
    return true;
}

void SharedMap::add(const Header& header, const Shard& shard, Figures& figures) {
    const auto now = [](const auto& place) {
        using T = std::remove_cvref_t<decltype(place)>;
        return std::atomic_ref<T>(const_cast<T&>(place)).load(std::memory_order_relaxed);
    };
    const size_t fresh = header.blocks - std::min(header.blocks, now(shard.fresh));
    const size_t free = std::min<size_t>(header.blocks, fresh + now(shard.free_blocks));
    figures.entries += now(shard.entries);
    figures.used_bytes += (header.blocks - free) * kBlockBytes;
    figures.bytes += header.blocks * kBlockBytes;
    figures.evicted += now(shard.evicted);
    figures.rebuilt += now(shard.rebuilt);
}

bool SharedMap::look(std::span<const char> memory, Figures& figures) {
    if (memory.size() < kLeastBytes) return false;
    Header header;
    memcpy(&header, memory.data(), sizeof header);
    const size_t room = memory.size() - sizeof(Shard);
    if (header.magic != kMagic || header.shards == 0 || header.shards > kMostShards ||
        header.shard_bytes < sizeof(Shard) || header.shard_bytes % alignof(Shard) != 0 ||
        header.shard_bytes > room / header.shards)
        return false;
    for (uint32_t index = 0; index < header.shards; ++index) {
        const char* const shard = memory.data() + sizeof(Shard) + index * header.shard_bytes;
        add(header, *reinterpret_cast<const Shard*>(shard), figures);
    }
    return true;
}

bool SharedMap::is_sound() const {
    for (uint32_t index = 0; index < header_->shards; ++index) {
        const View view(*header_, shard(index));
        const Locked locked(view);
        if (!locked || !view.is_sound()) return false;
    }
    return true;
}

}  // namespace sluice
