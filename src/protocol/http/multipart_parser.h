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

/// Splits a body of type multipart/form-data (RFC 7578, RFC 2046) into its parts. It may be fed in pieces of
/// any size; each byte is looked at a bounded number of times, and nothing is kept but an unfinished part
/// head.
///
/// Strict where leniency lets two readers see two forms: lines of a part head end in CRLF and are not folded,
/// a delimiter is followed by a line end or by `--`, each part says `Content-Disposition: form-data` once,
/// with one name.
class MultipartParser {
  public:
    enum class Event : uint8_t {
        kNeedInput,  ///< all of the input is used up
        kPart,       ///< a part begins: see `part()`
        kData,       ///< `data()` is the next piece of it; a part that came in one input comes in one piece
        kPartEnd,
        kDone,   ///< after the closing delimiter; what follows it means nothing and is dropped
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

    /// Takes bytes from the front of `input`. `data()` stays valid until the next call and as long as the
    /// input does.
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

    /// Goes on to the delimiter or as far as the input does; true when it was found. What stands before it is
    /// in `data_`.
    bool find_delimiter(std::string_view& input);
    /// Nothing: go on.
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
    size_t matched_ = 2;     ///< how much of the delimiter ended the last input; the body's begin is a line's
    size_t borrowed_ = 2;    ///< and how much of that was not part of the data
    std::string head_;
    Part part_;
    std::string_view data_;
    Error error_;
    uint64_t total_bytes_ = 0;
    uint32_t parts_ = 0;
    State state_ = State::kPreamble;
    bool delimiter_found_ = false;  ///< and what stood before it was handed out
    bool has_disposition_ = false;
    bool has_type_ = false;
};

/// Whether a Content-Type is of that type, parameters aside.
bool is_media_type(std::string_view content_type, std::string_view type);

/// The boundary parameter of a multipart Content-Type; empty when it is missing, given twice, longer than 70
/// or holds what a boundary must not (RFC 2046 5.1.1).
std::string_view multipart_boundary(std::string_view content_type);

}  // namespace sluice::http
