#include "protocol/http/multipart_parser.h"

#include <algorithm>
#include <cstring>

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

constexpr size_t kMaxBoundaryBytes = 70;

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool is_boundary_byte(char c) {
    return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'z') ||
           (c != '\0' && strchr("'()+_,-./:=? ", c) != nullptr);
}

/// One `; name=value` of a parameter list.
struct Parameter {
    std::string_view name;
    std::string_view value;  ///< between the quotes, when quoted
    bool quoted = false;
};

enum class Taken : uint8_t { kOne, kNone, kMalformed };

/// Takes the next parameter off `rest`, which begins after the value or the previous parameter.
Taken take_parameter(std::string_view& rest, Parameter& parameter) {
    rest = trim_blanks(rest);
    if (rest.empty()) return Taken::kNone;
    if (rest.front() != ';') return Taken::kMalformed;
    rest = trim_blanks(rest.substr(1));
    if (rest.empty()) return Taken::kNone;  // a semicolon at the end is common and harmless
    const size_t equals = rest.find('=');
    if (equals == rest.npos || !is_token(rest.substr(0, equals))) return Taken::kMalformed;
    parameter.name = rest.substr(0, equals);
    rest.remove_prefix(equals + 1);
    parameter.quoted = !rest.empty() && rest.front() == '"';
    if (!parameter.quoted) {
        const size_t size =
            static_cast<size_t>(std::find_if_not(rest.begin(), rest.end(), is_token_byte) - rest.begin());
        if (size == 0) return Taken::kMalformed;
        parameter.value = rest.substr(0, size);
        rest.remove_prefix(size);
        return Taken::kOne;
    }
    size_t end = 1;
    while (end < rest.size() && rest[end] != '"') {
        const bool escapes =
            rest[end] == '\\' && end + 1 < rest.size() && (rest[end + 1] == '"' || rest[end + 1] == '\\');
        end += escapes ? 2 : 1;
    }
    if (end >= rest.size()) return Taken::kMalformed;
    parameter.value = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return Taken::kOne;
}

/// A backslash is literal unless a quote or a backslash follows: old browsers send Windows paths
/// unescaped.
std::string unquote(const Parameter& parameter) {
    std::string text;
    text.reserve(parameter.value.size());
    for (size_t i = 0; i < parameter.value.size(); ++i) {
        char c = parameter.value[i];
        if (parameter.quoted && c == '\\' && i + 1 < parameter.value.size()) {
            const char next = parameter.value[i + 1];
            if (next == '"' || next == '\\') {
                c = next;
                ++i;
            }
        }
        text += c;
    }
    return text;
}

}  // namespace

MultipartParser::MultipartParser(std::string_view boundary, const MultipartLimits& limits)
    : limits_(limits), delimiter_("\r\n--") {
    delimiter_ += boundary;
}

MultipartParser::Event MultipartParser::fail(const char* reason) {
    refuse(reason);
    return Event::kError;
}

bool MultipartParser::refuse(const char* reason) {
    state_ = State::kError;
    error_ = {400, reason};
    return false;
}

MultipartParser::Event MultipartParser::next(std::string_view& input) {
    for (;;) {
        // Bytes beyond the limit are not read, so that what is handed out before the error does not depend on
        // how the input is cut.
        std::string_view allowed = input.substr(0, limits_.total_bytes - total_bytes_);
        const size_t before = allowed.size();
        const std::optional<Event> event = step(allowed);
        if (event == Event::kDone) {
            input = {};
            return *event;
        }
        const size_t taken = before - allowed.size();
        input.remove_prefix(taken);
        total_bytes_ += taken;
        if (event == Event::kNeedInput && !input.empty())
            return fail("the form is longer than the limit for forms");
        if (event) return *event;
    }
}

std::optional<MultipartParser::Event> MultipartParser::step(std::string_view& input) {
    if (state_ == State::kError) return Event::kError;
    if (state_ == State::kEpilogue) return Event::kDone;
    if (delimiter_found_) {
        delimiter_found_ = false;
        state_ = State::kAfterDelimiter;
        return Event::kPartEnd;
    }
    if (input.empty()) return Event::kNeedInput;
    switch (state_) {
        case State::kPreamble:
            if (find_delimiter(input)) state_ = State::kAfterDelimiter;
            return std::nullopt;
        case State::kData:
            delimiter_found_ = find_delimiter(input);
            if (data_.empty()) return std::nullopt;
            return Event::kData;
        case State::kPartHead:
            if (!read_part_head(input)) return std::nullopt;  // the next step() returns an error, if any
            return Event::kPart;
        default:
            read_after_delimiter(input.front());
            input.remove_prefix(1);
            return std::nullopt;
    }
}

bool MultipartParser::find_delimiter(std::string_view& input) {
    // The delimiter begins with its only CR, so a broken match cannot contain the beginning of another.
    if (matched_ > 0) {
        size_t same = 0;
        const size_t most = std::min(input.size(), delimiter_.size() - matched_);
        while (same < most && input[same] == delimiter_[matched_ + same])
            ++same;
        if (same == most) {
            input.remove_prefix(same);
            matched_ += same;
            data_ = {};
            if (matched_ < delimiter_.size()) return false;
            matched_ = borrowed_ = 0;
            return true;
        }
        // The bytes matched in earlier input were data after all; the new input is matched from its start.
        data_ = std::string_view(delimiter_).substr(borrowed_, matched_ - borrowed_);
        matched_ = borrowed_ = 0;
        return false;
    }
    const size_t found = [&] {
        const void* place = memmem(input.data(), input.size(), delimiter_.data(), delimiter_.size());
        return place ? static_cast<size_t>(static_cast<const char*>(place) - input.data()) : input.npos;
    }();
    if (found != input.npos) {
        data_ = input.substr(0, found);
        input.remove_prefix(found + delimiter_.size());
        return true;
    }
    // The input may end in the middle of a delimiter.
    const std::string_view tail = input.substr(input.size() - std::min(input.size(), delimiter_.size() - 1));
    const size_t last_cr = tail.rfind('\r');
    size_t held = 0;
    if (last_cr != tail.npos && delimiter_.starts_with(tail.substr(last_cr))) held = tail.size() - last_cr;
    data_ = input.substr(0, input.size() - held);
    matched_ = held;
    input = {};
    return false;
}

void MultipartParser::read_after_delimiter(char c) {
    if (state_ == State::kAfterDelimiter && c == '-') {
        state_ = State::kDash;
    } else if (state_ == State::kDash && c == '-') {
        state_ = State::kEpilogue;
    } else if ((state_ == State::kAfterDelimiter || state_ == State::kPadding) && is_blank(c)) {
        state_ = State::kPadding;
    } else if ((state_ == State::kAfterDelimiter || state_ == State::kPadding) && c == '\r') {
        state_ = State::kPaddingLf;
    } else if (state_ != State::kPaddingLf || c != '\n') {
        refuse("a delimiter of the form is followed by neither a line end nor --");
    } else if (++parts_ > limits_.parts) {
        refuse("the form has more parts than the limit allows");
    } else {
        head_.clear();
        state_ = State::kPartHead;
    }
}

/// True when the head is complete and valid.
bool MultipartParser::read_part_head(std::string_view& input) {
    // The end of the head may begin in the last bytes that are kept.
    const size_t kept = head_.size();
    const size_t room = limits_.part_head_bytes - kept;
    const std::string_view taken = input.substr(0, room);
    head_ += taken;
    size_t end = head_.npos;
    if (head_.starts_with("\r\n")) {
        end = 2;
    } else if (const size_t blank = head_.find("\r\n\r\n", kept > 3 ? kept - 3 : 0); blank != head_.npos) {
        end = blank + 4;
    }
    if (end == head_.npos) {
        input.remove_prefix(taken.size());
        if (head_.size() >= limits_.part_head_bytes)
            return refuse("the head of a part of the form is longer than the limit allows");
        return false;
    }
    input.remove_prefix(end - kept);
    head_.resize(end);
    return parse_part_head();
}

bool MultipartParser::parse_part_head() {
    part_ = {};
    has_disposition_ = has_type_ = false;
    std::string_view rest = head_;
    while (rest != "\r\n") {
        const size_t end = rest.find("\r\n");
        if (!parse_field(rest.substr(0, end))) return false;
        rest.remove_prefix(end + 2);
    }
    if (!has_disposition_) return refuse("a part of the form has no Content-Disposition");
    if (!has_type_) part_.type = "text/plain";
    state_ = State::kData;
    matched_ = borrowed_ = 2;  // an empty part's delimiter may share the line end with the head
    return true;
}

bool MultipartParser::parse_field(std::string_view line) {
    const size_t colon = line.find(':');
    if (colon == line.npos || !is_token(line.substr(0, colon)))
        return refuse("a part of the form has a line in its head that is no field");
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trim_blanks(line.substr(colon + 1));
    if (!is_field_value(value)) return refuse("a part of the form has a control character in its head");
    if (equals_caseless(name, "content-disposition")) return parse_disposition(value);
    if (equals_caseless(name, "content-type")) {
        if (has_type_) return refuse("a part of the form has two Content-Types");
        has_type_ = true;
        part_.type = value;
    }
    if (equals_caseless(name, "content-transfer-encoding")) {
        // RFC 7578 4.7 deprecates transfer encodings in forms; these three change nothing.
        for (const std::string_view identity : {"7bit", "8bit", "binary"})
            if (equals_caseless(value, identity)) return true;
        return refuse("a part of the form has a Content-Transfer-Encoding other than 7bit, 8bit or binary");
    }
    return true;
}

bool MultipartParser::parse_disposition(std::string_view value) {
    if (has_disposition_) return refuse("a part of the form has two Content-Dispositions");
    has_disposition_ = true;
    const size_t cut = std::min(value.find(';'), value.size());
    if (!equals_caseless(trim_blanks(value.substr(0, cut)), "form-data"))
        return refuse("a part of the form has a Content-Disposition other than form-data");
    std::string_view rest = value.substr(cut);
    bool has_name = false;
    for (Parameter parameter;;) {
        const Taken taken = take_parameter(rest, parameter);
        if (taken == Taken::kNone) break;
        if (taken == Taken::kMalformed)
            return refuse("a part of the form has a malformed Content-Disposition");
        if (equals_caseless(parameter.name, "name")) {
            if (has_name) return refuse("a part of the form has two names");
            has_name = true;
            part_.name = unquote(parameter);
        } else if (equals_caseless(parameter.name, "filename")) {
            if (part_.is_file) return refuse("a part of the form has two file names");
            part_.is_file = true;
            part_.file_name = unquote(parameter);
        }
        // Other parameters are ignored; filename* must not be used in forms (RFC 7578 4.2).
    }
    if (!has_name) return refuse("a part of the form has no name");
    return true;
}

bool is_media_type(std::string_view content_type, std::string_view type) {
    return equals_caseless(trim_blanks(content_type.substr(0, content_type.find(';'))), type);
}

std::string_view multipart_boundary(std::string_view content_type) {
    const size_t cut = content_type.find(';');
    if (cut == content_type.npos) return {};
    std::string_view rest = content_type.substr(cut);
    std::string_view boundary;
    for (Parameter parameter;;) {
        const Taken taken = take_parameter(rest, parameter);
        if (taken == Taken::kMalformed) return {};
        if (taken == Taken::kNone) break;
        if (!equals_caseless(parameter.name, "boundary")) continue;
        if (!boundary.empty()) return {};
        boundary = parameter.value;
        if (boundary.empty() || boundary.size() > kMaxBoundaryBytes || boundary.back() == ' ' ||
            !std::all_of(boundary.begin(), boundary.end(), is_boundary_byte)) {
            return {};
        }
    }
    return boundary;
}

}  // namespace sluice::http
