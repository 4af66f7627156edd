#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sluice::fuzz {

/// Aborts when something does not hold that must hold for any input: libFuzzer reports an abort as a finding.
inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

/// The bytes that libFuzzer has made up. A target takes a few bytes from the front for its choices, and
/// parses the rest. What is taken behind the end is 0.
class Input {
  public:
    Input(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

    uint8_t byte() {
        if (rest_.empty()) return 0;
        const uint8_t value = static_cast<uint8_t>(rest_.front());
        rest_.remove_prefix(1);
        return value;
    }
    uint32_t word() {
        uint32_t value = 0;
        for (int i = 0; i < 4; ++i)
            value = value << 8 | byte();
        return value;
    }
    std::string_view take(size_t size) {
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(taken.size());
        return taken;
    }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

/// Cuts input into pieces, as a network does. The seed decides how long they are: mostly 1 to `most` bytes,
/// at times up to 50 times as much. A seed of 0 makes one piece of everything.
class Cuts {
  public:
    explicit Cuts(uint32_t seed, size_t most = 64) : state_(seed), most_(most) {}
    /// The length of the next piece, when `left` bytes are left.
    size_t next(size_t left) {
        if (state_ == 0) return left;
        state_ = state_ * 1664525u + 1013904223u;
        if (state_ == 0) state_ = 1;
        return std::min<size_t>(left, 1 + (state_ >> 16) % ((state_ >> 8 & 7) == 0 ? most_ * 50 : most_));
    }

  private:
    uint32_t state_;
    size_t most_;
};

/// A copy of bytes in a heap block of just their size, so that the address sanitiser reports any access
/// outside of them.
class Block {
  public:
    explicit Block(std::string_view bytes) : data_(new char[bytes.size()]), size_(bytes.size()) {
        if (size_ != 0) std::memcpy(data_.get(), bytes.data(), size_);
    }
    std::span<char> span() { return {data_.get(), size_}; }

  private:
    std::unique_ptr<char[]> data_;
    size_t size_;
};

}  // namespace sluice::fuzz
