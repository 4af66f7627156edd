#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/unique_fd.h"

namespace sluice {

/// Memory that the writer and the reader of one body share: a ring of bytes. No call here waits, or makes a
/// system call except for the mapping. A reader that lies about its position gets a body that stands still;
/// it can do no other harm.
class BodyRing {
  public:
    /// Makes an empty ring of `bytes` or little more, and its descriptor for attach(). nullptr: there is no
    /// memory, descriptor or mapping for it.
    static std::unique_ptr<BodyRing> create(size_t bytes, UniqueFd& fd);
    /// nullptr: it is no ring, or there is no mapping for it.
    static std::unique_ptr<BodyRing> attach(int fd);
    BodyRing(const BodyRing&) = delete;
    BodyRing& operator=(const BodyRing&) = delete;
    ~BodyRing();

    size_t size() const { return size_; }

    // -- The writer

    size_t free_bytes() const;
    /// Where the next bytes go: what is free up to the ring's end.
    std::span<char> room() const;
    /// So many bytes stand in the front of room(). True: the reader sleeps, and is to be woken.
    [[nodiscard]] bool wrote(size_t bytes);
    /// To be woken when half of it is free. False: that much is free already.
    [[nodiscard]] bool sleep_until_half_free();

    // -- The reader

    /// What was written and not yet taken, up to the ring's end.
    std::span<const char> bytes() const;
    /// The first so many of bytes() are not needed any more. True: the writer sleeps, and is to be woken.
    [[nodiscard]] bool took(size_t bytes);
    /// To be woken when something was written. False: something is there.
    [[nodiscard]] bool sleep_until_filled();

  private:
    struct Shared;
    BodyRing(Shared* shared, size_t size) : shared_(shared), size_(size) {}
    static std::unique_ptr<BodyRing> map(int fd, size_t size);
    size_t filled_bytes() const;
    /// At position_: up to so many bytes.
    std::span<char> piece(size_t bytes) const;

    Shared* shared_;
    size_t size_;
    uint64_t position_ = 0;  ///< of this side: bytes written, or taken
};

}  // namespace sluice
