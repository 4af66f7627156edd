#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/http/accept_encoding.h"

namespace sluice::http {

/// The levels of a coding. They begin at 1: level 0, no compression, has no encoder.
struct LevelRange {
    int least, most, usual;
};
LevelRange level_range(Coding coding);

/// Encodes one body after another with one content coding (RFC 9110 8.4.1). Its window is 512 KiB at most,
/// which bounds its memory and the client's.
class ContentEncoder {
  public:
    virtual ~ContentEncoder() = default;

    /// `coding` is not kIdentity, `level` is in its range. nullptr when memory is short.
    static std::unique_ptr<ContentEncoder> create(Coding coding, int level);

    /// The most memory that such an encoder ever holds.
    static size_t memory_bound(Coding coding, int level);

    enum class Step : uint8_t {
        kFlush,  ///< the client can decode all input so far
        kEnd,    ///< the body ends; the next call begins another one
    };
    /// Appends to `output`. False when memory is short: then the body cannot be ended, and the encoder must
    /// be destroyed.
    virtual bool encode(std::string_view input, Step step, std::string& output) = 0;

    /// Discards an unfinished body. False when memory is short: then the encoder must be destroyed.
    virtual bool reset() = 0;

    /// The memory that it holds now.
    virtual size_t memory_bytes() const = 0;

    Coding coding() const { return coding_; }
    int level() const { return level_; }

  protected:
    ContentEncoder(Coding coding, int level) : coding_(coding), level_(static_cast<int8_t>(level)) {}

  private:
    Coding coding_;
    int8_t level_;
};

/// A pool of encoders, one for each body in progress. Their memory is bounded in sum; the last one of each
/// kind is kept for the next body.
class EncoderPool {
  public:
    explicit EncoderPool(size_t most_bytes) : most_bytes_(most_bytes) {}

    /// nullptr when the encoder would exceed the bound, or memory is short.
    std::unique_ptr<ContentEncoder> lend(Coding coding, int level);
    /// The encoder may be in the middle of a body. `is_usable`: false after a failure.
    void give_back(std::unique_ptr<ContentEncoder> encoder, bool is_usable = true);

    /// The sum of memory_bound() over lent and kept encoders.
    size_t bytes() const { return bytes_; }
    uint64_t refusals() const { return refusals_; }

  private:
    std::unique_ptr<ContentEncoder> take_kept(Coding coding, int level);
    bool free_kept();

    size_t most_bytes_;
    size_t bytes_ = 0;
    uint64_t refusals_ = 0;
    std::vector<std::unique_ptr<ContentEncoder>> kept_;
};

}  // namespace sluice::http
