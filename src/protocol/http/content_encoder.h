#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/http/accept_encoding.h"

namespace sluice::http {

/// Which levels a coding has. 0 and less are not among them: who does not want to compress does not.
struct LevelRange {
    int least, most, usual;
};
LevelRange level_range(Coding coding);

/// Encodes one body after another with one content coding (RFC 9110 8.4.1). It looks back no further than
/// 512 KiB, which bounds what it holds, and what the client has to.
class ContentEncoder {
  public:
    virtual ~ContentEncoder() = default;

    /// `coding` is not kIdentity, `level` is in its range. nullptr when memory is short.
    static std::unique_ptr<ContentEncoder> create(Coding coding, int level);

    /// No encoder of this kind holds more than this, whatever it is given.
    static size_t memory_bound(Coding coding, int level);

    enum class Step : uint8_t {
        kFlush,  ///< the client can decode all that was given so far
        kEnd,    ///< and that was all; the next call begins another body
    };
    /// Appends to `output`. False when memory is short: the body cannot be ended then, and the encoder is of
    /// no further use.
    virtual bool encode(std::string_view input, Step step, std::string& output) = 0;

    /// Throws an unfinished body away. False as with encode().
    virtual bool reset() = 0;

    /// What it holds at the moment.
    virtual size_t memory_bytes() const = 0;

    Coding coding() const { return coding_; }
    int level() const { return level_; }

  protected:
    ContentEncoder(Coding coding, int level) : coding_(coding), level_(static_cast<int8_t>(level)) {}

  private:
    Coding coding_;
    int8_t level_;
};

/// Encoders lent out one for each body in progress. They are bounded in sum; the last one of each kind is
/// kept for the next body.
class EncoderPool {
  public:
    explicit EncoderPool(size_t most_bytes) : most_bytes_(most_bytes) {}

    /// nullptr when that would be more than the bound, or memory is short.
    std::unique_ptr<ContentEncoder> lend(Coding coding, int level);
    /// It may be in the middle of a body, or have failed (`is_usable`: no).
    void give_back(std::unique_ptr<ContentEncoder> encoder, bool is_usable = true);

    /// Of those lent and those kept, by their bounds.
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
