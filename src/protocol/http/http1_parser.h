#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "protocol/http/http_head.h"

namespace sluice::http1 {

/// Bounds on a request head. Spans have 16 bits, so a head can never pass 65535 bytes.
struct HeadLimits {
    uint32_t max_head_bytes = 16384;   ///< all bytes of the head, leading empty lines included; past it 431
    uint16_t max_fields = 100;         ///< past it 431
    uint16_t max_target_bytes = 8192;  ///< past it 414
};

/// Reads one request head (RFC 9112 sections 2 to 6), however its bytes arrive.
///
/// It never repairs: a head that two servers could read in two ways is refused, against request
/// smuggling. The verdict depends on the bytes alone, never on how they were split, and each byte is
/// looked at once.
///
/// One parser serves any number of heads (`reset()`). A parser may be moved in the middle of a head, with its
/// connection; the moved-from one needs a reset().
class HeadParser {
  public:
    enum class Status : uint8_t { kNeedMore, kDone, kError };

    /// No common method is longer. It has its own bound so that a stream of letters is refused as a bad
    /// request, not as a long target.
    static constexpr uint16_t kMaxMethodBytes = 32;
    /// Some clients send an empty line after a body (RFC 9112 2.2); more of them are an attack.
    static constexpr uint8_t kMaxLeadingEmptyLines = 4;

    explicit HeadParser(HeadLimits limits = {});

    /// Forgets the head; the next call of parse() starts a new one.
    void reset();
    /// Forgets the head, and sets other limits.
    void reset(HeadLimits limits);

    /// Reads on. `buffer` begins with the first byte of the head and holds all that was received since, maybe
    /// more than the head; it may move between calls, but bytes that were given must not change. Field
    /// names are put into lower case in place. After kDone or kError the answer does not change until
    /// reset().
    Status parse(std::span<char> buffer);

    /// True once a byte has been read: the deadline of the head runs.
    bool started() const { return position_ != 0; }

    /// After kDone: where the body begins in the buffer.
    size_t head_bytes() const { return position_; }
    /// After kDone. Spans are relative to the first byte of the buffer.
    const http::RequestHead& head() const { return head_; }
    /// After kDone, in the order received; valid until reset() or until the parser is moved from.
    std::span<const http::Field> fields() const { return fields_; }
    /// After kError.
    http::Error error() const { return error_; }

  private:
    enum class State : uint8_t {
        kStart,
        kStartLf,
        kMethod,
        kTarget,
        kVersion,
        kLineLf,
        kFieldStart,
        kFieldName,
        kValueStart,
        kValue,
        kValueLf,
        kEndLf,
        kDone,
        kError,
    };

    State step(char* base, uint32_t end);
    State read_method(const char* base, uint32_t end);
    State read_target(const char* base, uint32_t end);
    State read_version(const char* base, uint32_t end);
    State read_name(char* base, uint32_t end);
    State read_value(const char* base, uint32_t end);
    State finish_field(const char* base);
    State finish_head(const char* base);
    State fail(uint16_t status, const char* reason, const char* limit = nullptr);

    HeadLimits limits_;
    State state_ = State::kStart;
    uint8_t empty_lines_ = 0;
    uint8_t seen_ = 0;       ///< which of the fields that matter for framing have come (see http1_parser.cc)
    uint32_t position_ = 0;  ///< everything before it has been read
    uint32_t mark_ = 0;      ///< where the part being read began
    http::Span16 name_;      ///< of the field whose value is being read
    http::Span16 transfer_encoding_;
    http::RequestHead head_;
    http::Error error_;
    std::vector<http::Field> fields_;
};

}  // namespace sluice::http1
