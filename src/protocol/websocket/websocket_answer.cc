#include "protocol/websocket/websocket_answer.h"

#include "protocol/http/http_syntax.h"
#include "protocol/websocket/websocket_handshake.h"

namespace sluice::websocket {
namespace {

/// Takes the next line off, without its line end; nothing when there is no line end.
std::optional<std::string_view> take_line(std::string_view& head) {
    const size_t end = head.find("\r\n");
    if (end == head.npos) return std::nullopt;
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    return line;
}

/// 0 when it is no status line.
int status_of(std::string_view line) {
    if (line.size() < 12 || !line.starts_with("HTTP/1.1 ")) return 0;
    for (char digit : line.substr(9, 3)) {
        if (!http::is_digit(digit)) return 0;
    }
    if (line[9] == '0' || (line.size() > 12 && line[12] != ' ')) return 0;
    return (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
}

/// The fields that matter. Several fields of one name are joined by a comma.
struct Fields {
    std::string upgrade, connection, accept, protocol, extensions;
    bool has_protocol = false;
    bool has_extensions = false;

    /// False when the line is no field.
    bool add(std::string_view line) {
        const size_t colon = line.find(':');
        if (colon == line.npos || !http::is_token(line.substr(0, colon))) return false;
        const std::string_view name = line.substr(0, colon);
        const std::string_view value = http::trim_blanks(line.substr(colon + 1));
        if (!http::is_field_value(value)) return false;
        std::string* place = nullptr;
        if (http::equals_caseless(name, "upgrade")) place = &upgrade;
        if (http::equals_caseless(name, "connection")) place = &connection;
        if (http::equals_caseless(name, "sec-websocket-accept")) place = &accept;
        if (http::equals_caseless(name, "sec-websocket-protocol")) {
            place = &protocol;
            has_protocol = true;
        }
        if (http::equals_caseless(name, "sec-websocket-extensions")) {
            place = &extensions;
            has_extensions = true;
        }
        if (!place) return true;
        if (!place->empty()) *place += ", ";
        *place += value;
        return true;
    }
};

std::string check(const Fields& fields, const HandshakeOffer& offer, HandshakeAnswer& answer) {
    if (!http::equals_caseless(fields.upgrade, "websocket"))
        return "Its Upgrade field must be \"websocket\".";
    if (!http::list_has_token(fields.connection, "upgrade"))
        return "Its Connection field must name \"Upgrade\".";
    if (fields.accept != accept_key(offer.key))
        return "Its Sec-WebSocket-Accept field does not belong to the key that was sent.";
    if (fields.has_protocol) {
        // Names of sub-protocols are case-sensitive.
        if (!http::is_token(fields.protocol) || !offers_protocol(offer.protocols, fields.protocol))
            return "It has chosen a sub-protocol that was not offered.";
        answer.protocol = fields.protocol;
    }
    if (fields.has_extensions) {
        if (offer.deflate) answer.deflate = read_deflate_answer(fields.extensions);
        if (!answer.deflate) return "Its Sec-WebSocket-Extensions field is no answer to what was offered.";
    }
    return {};
}

}  // namespace

HandshakeAnswer read_answer(std::string_view head, const HandshakeOffer& offer) {
    HandshakeAnswer answer;
    const auto first = take_line(head);
    answer.status = first ? status_of(*first) : 0;
    if (answer.status == 0) {
        answer.refusal = "The response does not begin with a status line of HTTP/1.1.";
        return answer;
    }
    if (answer.status != 101) {
        answer.refusal = "The response has the status " + std::to_string(answer.status) + " instead of 101.";
        return answer;
    }
    Fields fields;
    for (;;) {
        const auto line = take_line(head);
        if (!line) {
            answer.refusal = "The head of the response has no end.";
            return answer;
        }
        if (line->empty()) break;
        if (!fields.add(*line)) {
            answer.refusal = "The head of the response has a line that is no field.";
            return answer;
        }
    }
    answer.refusal = check(fields, offer, answer);
    if (!answer.refusal.empty())
        answer.refusal.insert(0, "The response is no answer to a WebSocket handshake: ");
    return answer;
}

}  // namespace sluice::websocket
