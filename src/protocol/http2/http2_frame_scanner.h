#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::http2 {

/// Finds the heads of frames (RFC 9113 section 4.1) in a connection's bytes, however they are cut.
class FrameScanner {
  public:
    struct Head {
        uint32_t length;
        uint8_t type;
        uint8_t flags;
        int32_t stream;
    };
    static constexpr size_t kHeadBytes = 9;

    /// `skip`: bytes that precede the first frame.
    explicit FrameScanner(size_t skip) : skip_(skip) {}

    /// Goes to the end of the next head, or of the input; `at` is moved there.
    std::optional<Head> next(std::string_view input, size_t& at) {
        const size_t skipped = std::min(skip_, input.size() - at);
        skip_ -= skipped;
        at += skipped;
        while (at < input.size()) {
            head_[filled_++] = static_cast<uint8_t>(input[at++]);
            if (filled_ < kHeadBytes) continue;
            filled_ = 0;
            const uint32_t length = uint32_t{head_[0]} << 16 | uint32_t{head_[1]} << 8 | head_[2];
            const uint32_t stream = (uint32_t{head_[5]} & 127) << 24 | uint32_t{head_[6]} << 16 |
                                    uint32_t{head_[7]} << 8 | head_[8];
            skip_ = length;
            return Head{length, head_[3], head_[4], static_cast<int32_t>(stream)};
        }
        return std::nullopt;
    }

  private:
    size_t skip_;
    size_t filled_ = 0;
    uint8_t head_[kHeadBytes] = {};
};

}  // namespace sluice::http2
