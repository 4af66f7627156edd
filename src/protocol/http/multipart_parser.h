#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice::http {

struct MultipartLimits {
    uint32_t parts = 1000;
    uint32_t part_head_bytes = 8192;    ///< of each part, its closing empty line included
    uint64_t total_bytes = UINT64_MAX;  ///< up to the closing delimiter
};

/// Splits a body of type multipart/form-data (RFC 7578, RFC 2046) into its parts. The input may be cut
/// anywhere; each byte is looked at a bounded number of times, and only an unfinished part head is
/// kept.
///
/// Strict where two lenient readers could see different forms: lines of a part head end in CRLF and are not
/// folded, a delimiter is followed by a line end or by `--`, each part says `Content-Disposition: form-data`
/// once, with one name.
class MultipartParser {
  public:
    enum class Event : uint8_t {
        kNeedInput,  ///< all of the input is used up
        kPart,       ///< a part begins: see `part()`
        kData,       ///< `data()` is the next piece of it; a part that came in one input comes in one piece
        kPartEnd,
        kDone,   ///< after the closing delimiter; bytes behind it are dropped
        kError,  ///< see `error()`
    };

    struct Part {
        std::string name;
        std::string file_name;  ///< as sent: may be a path, may be anything
        std::string type;       ///< Content-Type as sent; `text/plain` when there is none
        bool is_file = false;   ///< a file name was given, perhaps an empty one
    };

    /// `boundary` is what `multipart_boundary()` has found.
    MultipartParser(std::string_view boundary, const MultipartLimits& limits);

    /// Takes bytes from the front of `input`. `data()` is valid until the next call, while the input is
    /// valid.
    Event next(std::string_view& input);

    /// The part that began last.
    Part& part() { return part_; }
    std::string_view data() const { return data_; }
    const Error& error() const { return error_; }
    bool done() const { return state_ == State::kEpilogue; }

  private:
    enum class State : uint8_t {
        kPreamble,
        kAfterDelimiter,
        kDash,     ///< after the first '-' behind a delimiter
        kPadding,  ///< blanks behind a delimiter
        kPaddingLf,
        kPartHead,
        kData,
        kEpilogue,
        kError,
    };

    /// Goes on to the delimiter or to the end of the input; true when the delimiter was found. Sets `data_`
    /// to the bytes before it.
    bool find_delimiter(std::string_view& input);
    /// Nothing: call it again.
    std::optional<Event> step(std::string_view& input);
    void read_after_delimiter(char c);
    bool read_part_head(std::string_view& input);
    bool parse_part_head();
    bool parse_field(std::string_view line);
    bool parse_disposition(std::string_view value);
    Event fail(const char* reason);
    bool refuse(const char* reason);

    MultipartLimits limits_;
    std::string delimiter_;  ///< CRLF -- boundary
    size_t matched_ = 2;     ///< delimiter bytes at the end of the last input; a body begins like a line
    size_t borrowed_ = 2;    ///< how many of them were not part of the data
    std::string head_;
    Part part_;
    std::string_view data_;
    Error error_;
    uint64_t total_bytes_ = 0;
    uint32_t parts_ = 0;
    State state_ = State::kPreamble;
    bool delimiter_found_ = false;  ///< the data before the delimiter was handed out
    bool has_disposition_ = false;
    bool has_type_ = false;
};

/// Whether a Content-Type is `type`, whatever its parameters.
bool is_media_type(std::string_view content_type, std::string_view type);

/// The boundary parameter of a multipart Content-Type; empty when it is missing, given twice, longer than 70
/// bytes, or not a valid boundary (RFC 2046 5.1.1).
std::string_view multipart_boundary(std::string_view content_type);

}  // namespace sluice::http
