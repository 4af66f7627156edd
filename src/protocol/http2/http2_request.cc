#include "protocol/http2/http2_request.h"

#include "protocol/http/http_syntax.h"

namespace sluice::http2 {

void RequestBuilder::reset() {
    for (std::string* part : {&method_, &path_, &authority_, &protocol_, &lines_, &cookies_, &text_})
        part->clear();
    has_host_ = has_length_ = false;
    decoded_bytes_ = decoded_fields_ = 0;
    error_ = {};
    head_ = {};
}

bool RequestBuilder::add(std::string_view name, std::string_view value) {
    decoded_bytes_ += name.size() + value.size();
    ++decoded_fields_;
    if (decoded_bytes_ > uint64_t{limits_.head_bytes} * kBombFactor ||
        decoded_fields_ > limits_.header_fields * kBombFactor) {
        return false;
    }
    if (error_) return true;
    if (decoded_bytes_ > limits_.head_bytes) {
        error_ = {431, "The request's fields are longer than a request head may be.", "headBytes"};
        return true;
    }
    if (name.starts_with(':')) {
        if (name == ":method") method_ = value;
        if (name == ":path") path_ = value;
        if (name == ":authority") authority_ = value;
        if (name == ":protocol") protocol_ = value;
        --decoded_fields_;
        return true;
    }
    if (decoded_fields_ > limits_.header_fields) {
        error_ = {431, "The request has more fields than a request may have.", "headerFields"};
        return true;
    }
    if (name == "cookie") {
        // RFC 9113 8.2.3: the crumbs of a cookie are joined into one field first.
        if (!cookies_.empty()) cookies_ += "; ";
        cookies_ += value;
        return true;
    }
    if (name == "content-length") has_length_ = true;
    if (name == "host") {
        // RFC 9113 8.3.1: :authority and Host must not differ.
        if (!authority_.empty() && !http::equals_caseless(authority_, value)) {
            error_ = {400, "The request's :authority and Host field differ."};
            return true;
        }
        if (!authority_.empty() || has_host_) return true;
        has_host_ = true;
    }
    lines_ += name;
    lines_ += ": ";
    lines_ += value;
    lines_ += "\r\n";
    return true;
}

bool RequestBuilder::compose(bool ended) {
    // Checks only what would change the text's structure; the parser checks the rest.
    if (!http::is_token(method_)) {
        error_ = {400, "The request's method is not a token."};
        return false;
    }
    const bool is_connect = method_ == "CONNECT";
    const std::string& target = is_connect && protocol_.empty() ? authority_ : path_;
    if (!http::is_field_value(target) || !http::is_field_value(authority_)) {
        error_ = {400, "The request's target has a control character."};
        return false;
    }
    if (is_connect && !protocol_.empty()) {
        text_ = "GET ";
    } else {
        text_ = method_;
        text_ += ' ';
    }
    text_ += target;
    text_ += " HTTP/1.1\r\n";
    if (!authority_.empty()) {
        text_ += "host: ";
        text_ += authority_;
        text_ += "\r\n";
    }
    text_ += lines_;
    if (!cookies_.empty()) {
        text_ += "cookie: ";
        text_ += cookies_;
        text_ += "\r\n";
    }
    // The one way in which a head of HTTP/1.1 says that a body of unknown length follows.
    if (!ended && !has_length_ && protocol_.empty()) text_ += "transfer-encoding: chunked\r\n";
    text_ += "\r\n";
    return true;
}

bool RequestBuilder::finish(http1::HeadParser& parser, bool ended) {
    if (error_ || !compose(ended)) return false;
    parser.reset({limits_.head_bytes, static_cast<uint16_t>(limits_.header_fields)});
    switch (parser.parse({text_.data(), text_.size()})) {
        case http1::HeadParser::Status::kDone: break;
        case http1::HeadParser::Status::kError: error_ = parser.error(); return false;
        case http1::HeadParser::Status::kNeedMore:
            error_ = {400, "The request's fields do not make a request head."};
            return false;
    }
    head_ = parser.head();
    if (head_.head_bytes != text_.size()) {
        error_ = {400, "The request's fields do not make a request head."};
        return false;
    }
    head_.version_major = 2;
    head_.version_minor = 0;
    head_.keep_alive = false;
    if (head_.chunked) --head_.field_count;  // the last one is the one that finish() has added
    head_.upgrade_websocket = protocol_ == "websocket";
    return true;
}

}  // namespace sluice::http2
