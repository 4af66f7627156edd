#include "protocol/http/http1_parser.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "protocol/http/http_syntax.h"
#include "protocol/http/http_target.h"

namespace sluice::http1 {

using http::Field;
using http::Method;
using http::Span16;

namespace {

// Bits of HeadParser::seen_.
constexpr uint8_t kHost = 1;
constexpr uint8_t kContentLength = 2;
constexpr uint8_t kTransferEncoding = 4;
constexpr uint8_t kContentType = 8;
constexpr uint8_t kWantsClose = 16;
constexpr uint8_t kWantsKeepAlive = 32;
constexpr uint8_t kWantsUpgrade = 64;
constexpr uint8_t kNamesWebSocket = 128;

/// CGI turns fields into environment variables, where '-' becomes '_': a name with '_' could mean nothing to
/// this server, and framing to a CGI backend.
constexpr char kLookalike[] = "A field that frames the body is spelled with an underscore.";

Method method_of(std::string_view text) {
    switch (text.size()) {
        case 3:
            if (text == "GET") return Method::kGet;
            if (text == "PUT") return Method::kPut;
            break;
        case 4:
            if (text == "POST") return Method::kPost;
            if (text == "HEAD") return Method::kHead;
            break;
        case 5:
            if (text == "PATCH") return Method::kPatch;
            if (text == "TRACE") return Method::kTrace;
            break;
        case 6:
            if (text == "DELETE") return Method::kDelete;
            break;
        case 7:
            if (text == "OPTIONS") return Method::kOptions;
            if (text == "CONNECT") return Method::kConnect;
            break;
        default: break;
    }
    return Method::kOther;
}

Span16 span(size_t offset, size_t length) {
    return {static_cast<uint16_t>(offset), static_cast<uint16_t>(length)};
}

/// An unambiguous length: RFC 9110 8.6 allows leading zeros, but others may read them as octal.
bool read_length(std::string_view text, uint64_t& length) {
    constexpr size_t kMaxDigits = 19;
    if (text.empty() || text.size() > kMaxDigits) return false;
    if (text.front() == '0' && text.size() > 1) return false;
    length = 0;
    for (char c : text) {
        if (!http::is_digit(c)) return false;
        length = length * 10 + static_cast<uint64_t>(c - '0');
    }
    return length <= INT64_MAX;
}

/// 0 when the codings are exactly "chunked", 501 when they are well-formed but unknown here, else 400.
uint16_t refuse_codings(std::string_view codings) {
    if (http::equals_caseless(codings, "chunked")) return 0;
    while (true) {
        const size_t comma = codings.find(',');
        const std::string_view coding = http::trim_blanks(codings.substr(0, comma));
        const std::string_view name = http::trim_blanks(coding.substr(0, coding.find(';')));
        if (!http::is_token(name)) return 400;
        const bool last = comma == codings.npos;
        if (http::equals_caseless(name, "chunked") && (!last || name.size() != coding.size())) return 400;
        if (last) return 501;
        codings.remove_prefix(comma + 1);
    }
}

}  // namespace

HeadParser::HeadParser(HeadLimits limits) {
    reset(limits);
}

void HeadParser::reset(HeadLimits limits) {
    limits_ = limits;
    limits_.max_head_bytes = std::min<uint32_t>(limits_.max_head_bytes, UINT16_MAX);
    reset();
}

void HeadParser::reset() {
    state_ = State::kStart;
    empty_lines_ = 0;
    seen_ = 0;
    position_ = 0;
    mark_ = 0;
    name_ = {};
    transfer_encoding_ = {};
    head_ = {};
    error_ = {};
    fields_.clear();
}

HeadParser::Status HeadParser::parse(std::span<char> buffer) {
    // Bytes beyond the limit are not read, so that the verdict does not depend on how much has
    // arrived.
    const uint32_t end = static_cast<uint32_t>(std::min<size_t>(buffer.size(), limits_.max_head_bytes));
    while (position_ < end && state_ < State::kDone)
        state_ = step(buffer.data(), end);
    if (state_ < State::kDone && position_ >= limits_.max_head_bytes) {
        state_ = state_ == State::kTarget
                     ? fail(414, "The request target is longer than a request head may be.", "headBytes")
                     : fail(431, "The request head is longer than the limit for heads.", "headBytes");
    }
    if (state_ == State::kDone) return Status::kDone;
    return state_ == State::kError ? Status::kError : Status::kNeedMore;
}

HeadParser::State HeadParser::step(char* base, uint32_t end) {
    const char c = base[position_];
    switch (state_) {
        case State::kStart:
            if (c == '\r') {
                if (empty_lines_ == kMaxLeadingEmptyLines) {
                    return fail(400, "Too many empty lines stand before the request line.");
                }
                ++position_;
                return State::kStartLf;
            }
            mark_ = position_;
            return State::kMethod;
        case State::kStartLf:
            if (c != '\n') return fail(400, "A CR without LF stands before the request line.");
            ++position_;
            ++empty_lines_;
            return State::kStart;
        case State::kMethod: return read_method(base, end);
        case State::kTarget: return read_target(base, end);
        case State::kVersion: return read_version(base, end);
        case State::kLineLf:
            if (c != '\n') return fail(400, "The request line has a CR without LF.");
            ++position_;
            return State::kFieldStart;
        case State::kFieldStart:
            if (c == '\r') {
                ++position_;
                return State::kEndLf;
            }
            if (c == ' ' || c == '\t') {
                return fail(
                    400, "A line of the head begins with a blank; folded fields are obsolete and refused.");
            }
            if (c == ':') return fail(400, "A field line has an empty name.");
            if (fields_.size() >= limits_.max_fields)
                return fail(431, "The request head has too many fields.", "headerFields");
            mark_ = position_;
            return State::kFieldName;
        case State::kFieldName: return read_name(base, end);
        case State::kValueStart:
            if (c == ' ' || c == '\t') {
                ++position_;
                return State::kValueStart;
            }
            mark_ = position_;
            return State::kValue;
        case State::kValue: return read_value(base, end);
        case State::kValueLf:
            if (c != '\n') return fail(400, "A field value has a CR without LF.");
            ++position_;
            return finish_field(base);
        case State::kEndLf:
            if (c != '\n') return fail(400, "The empty line that ends the head has a CR without LF.");
            ++position_;
            return finish_head(base);
        case State::kDone:
        case State::kError: break;
    }
    return state_;
}

HeadParser::State HeadParser::read_method(const char* base, uint32_t end) {
    const uint32_t limit = mark_ + kMaxMethodBytes + 1;
    const uint32_t stop = std::min(end, limit);
    uint32_t at = position_;
    while (at < stop && http::is_token_byte(base[at]))
        ++at;
    position_ = at;
    if (at == limit) return fail(400, "The method is longer than any method.");
    if (at == end) return State::kMethod;
    if (base[at] != ' ' || at == mark_) {
        return fail(400, "The request line does not begin with a method and one space.");
    }
    head_.method_text = span(mark_, at - mark_);
    head_.method = method_of(head_.method_text.in(base));
    mark_ = ++position_;
    return State::kTarget;
}

HeadParser::State HeadParser::read_target(const char* base, uint32_t end) {
    const uint32_t limit = mark_ + limits_.max_target_bytes + 1;
    const uint32_t stop = std::min(end, limit);
    uint32_t at = position_;
    if (head_.query.offset == 0) {
        while (at < stop && http::is_path_byte(base[at]))
            ++at;
        if (at < stop && base[at] == '?') head_.query = span(++at, 0);
    }
    if (head_.query.offset != 0) {
        while (at < stop && http::is_query_byte(base[at]))
            ++at;
    }
    position_ = at;
    if (at == limit) return fail(414, "The request target is longer than the limit for targets.");
    if (at == end) return State::kTarget;
    switch (base[at]) {
        case ' ': break;
        case '#': return fail(400, "The request target has a fragment.");
        case '\r':
        case '\n': return fail(400, "The request line has no HTTP version.");
        default: return fail(400, "The request target has a byte that has to be percent-encoded.");
    }
    head_.target = span(mark_, at - mark_);
    if (head_.query.offset != 0) head_.query.length = static_cast<uint16_t>(at - head_.query.offset);
    const char* const reason = http::resolve_target(base, head_);
    if (reason != nullptr) return fail(400, reason);
    mark_ = ++position_;
    return State::kVersion;
}

HeadParser::State HeadParser::read_version(const char* base, uint32_t end) {
    static constexpr char kForm[] = "HTTP/1.1\r";
    constexpr uint32_t kMajor = 5;
    constexpr uint32_t kMinor = 7;
    constexpr uint32_t kLength = sizeof(kForm) - 1;
    // What nearly all clients send: 15 instructions instead of 170.
    if (end - mark_ >= kLength && memcmp(base + mark_, kForm, kLength) == 0) {
        position_ = mark_ + kLength;
        head_.version_minor = 1;
        return State::kLineLf;
    }
    for (; position_ < end; ++position_) {
        const uint32_t at = position_ - mark_;
        if (at == kLength) break;
        const char c = base[position_];
        if (at == kMajor || at == kMinor ? !http::is_digit(c) : c != kForm[at]) {
            if (c == '\n') return fail(400, "The request line ends with LF alone; it has to be CR LF.");
            return fail(400, "The request line does not end with one space and HTTP/1.1 or HTTP/1.0.");
        }
    }
    if (position_ - mark_ != kLength) return State::kVersion;
    if (base[mark_ + kMajor] != '1')
        return fail(505, "The HTTP version is not served here; HTTP/1.1 and 1.0 are.");
    head_.version_minor = base[mark_ + kMinor] == '0' ? 0 : 1;
    return State::kLineLf;
}

HeadParser::State HeadParser::read_name(char* base, uint32_t end) {
    uint32_t at = position_;
    while (at < end) {
        const char lower = http::lower_token_byte(base[at]);
        if (lower == 0) break;
        base[at++] = lower;
    }
    position_ = at;
    if (at == end) return State::kFieldName;
    switch (base[at]) {
        case ':': break;
        case ' ':
        case '\t': return fail(400, "A field name is followed by a blank; the colon has to stand there.");
        case '\r':
        case '\n': return fail(400, "A line of the head has no colon.");
        default: return fail(400, "A field name has a byte that is not allowed in names.");
    }
    name_ = span(mark_, at - mark_);
    ++position_;
    return State::kValueStart;
}

HeadParser::State HeadParser::read_value(const char* base, uint32_t end) {
    const char* const stop = http::find_field_control(base + position_, base + end);
    position_ = static_cast<uint32_t>(stop - base);
    if (position_ == end) return State::kValue;
    if (*stop == '\n') return fail(400, "A field line ends with LF alone; it has to be CR LF.");
    if (*stop != '\r') return fail(400, "A field value has a control character.");
    uint32_t value_end = position_;
    while (value_end > mark_ && (base[value_end - 1] == ' ' || base[value_end - 1] == '\t'))
        --value_end;
    fields_.push_back(Field{name_, span(mark_, value_end - mark_)});
    ++position_;
    return State::kValueLf;
}

HeadParser::State HeadParser::finish_field(const char* base) {
    const Field& field = fields_.back();
    const std::string_view name = field.name.in(base);
    const std::string_view value = field.value.in(base);
    uint8_t bit = 0;
    const char* twice = nullptr;
    switch (name.size()) {
        case 4:
            if (name != "host") break;
            bit = kHost;
            twice = "The request has more than one Host field.";
            if (!http::is_authority(value))
                return fail(400, "The Host field is not one host with an optional port.");
            if (head_.host.empty()) head_.host = field.value;
            break;
        case 6:
            // An expectation in HTTP/1.0 is ignored (RFC 9110 10.1.1).
            if (name != "expect" || head_.version_minor == 0) break;
            if (!http::equals_caseless(value, "100-continue")) {
                return fail(417, "The only expectation that can be met is 100-continue.");
            }
            head_.expect_continue = true;
            break;
        case 7:
            if (name == "upgrade" && http::list_has_token(value, "websocket")) seen_ |= kNamesWebSocket;
            break;
        case 10:
            if (name != "connection") break;
            if (http::list_has_token(value, "close")) seen_ |= kWantsClose;
            if (http::list_has_token(value, "keep-alive")) seen_ |= kWantsKeepAlive;
            if (http::list_has_token(value, "upgrade")) seen_ |= kWantsUpgrade;
            break;
        case 12:
            if (name != "content-type") break;
            bit = kContentType;
            twice = "The request has more than one Content-Type field.";
            break;
        case 14:
            if (name == "content_length") return fail(400, kLookalike);
            if (name != "content-length") break;
            bit = kContentLength;
            twice = "The request has more than one Content-Length field.";
            if (!read_length(value, head_.content_length)) {
                return fail(400, "Content-Length is not one plain decimal number below 2^63.");
            }
            break;
        case 17:
            if (name == "transfer_encoding") return fail(400, kLookalike);
            if (name != "transfer-encoding") break;
            bit = kTransferEncoding;
            twice = "The request has more than one Transfer-Encoding field.";
            transfer_encoding_ = field.value;
            break;
        default: break;
    }
    if ((seen_ & bit) != 0) return fail(400, twice);
    seen_ |= bit;
    return State::kFieldStart;
}

HeadParser::State HeadParser::finish_head(const char* base) {
    if (head_.version_minor >= 1 && (seen_ & kHost) == 0) return fail(400, "The request has no Host field.");
    if ((seen_ & kTransferEncoding) != 0) {
        if (head_.version_minor == 0) return fail(400, "HTTP/1.0 has no Transfer-Encoding.");
        if ((seen_ & kContentLength) != 0) {
            return fail(400, "The request has both Transfer-Encoding and Content-Length.");
        }
        const uint16_t status = refuse_codings(transfer_encoding_.in(base));
        if (status == 501) return fail(501, "The only transfer coding that is understood is chunked.");
        if (status != 0) return fail(400, "Transfer-Encoding is not exactly chunked.");
        head_.chunked = true;
    }
    const bool has_length = (seen_ & kContentLength) != 0;
    head_.has_body = head_.chunked || (has_length && head_.content_length != 0);
    if (head_.has_body && (head_.method == Method::kTrace || head_.method == Method::kConnect)) {
        return fail(400, "A TRACE or CONNECT request may not have a body.");
    }
    head_.expect_continue = head_.expect_continue && head_.has_body;
    head_.keep_alive =
        (seen_ & kWantsClose) == 0 && (head_.version_minor >= 1 || (seen_ & kWantsKeepAlive) != 0);
    constexpr uint8_t kUpgrades = kWantsUpgrade | kNamesWebSocket;
    head_.upgrade_websocket = (seen_ & kUpgrades) == kUpgrades && head_.method == Method::kGet &&
                              head_.version_minor >= 1 && !head_.has_body;
    head_.field_count = static_cast<uint16_t>(fields_.size());
    head_.head_bytes = static_cast<uint16_t>(position_);
    return State::kDone;
}

HeadParser::State HeadParser::fail(uint16_t status, const char* reason, const char* limit) {
    error_ = {status, reason, limit};
    return State::kError;
}

}  // namespace sluice::http1
