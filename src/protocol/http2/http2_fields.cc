#include "protocol/http2/http2_fields.h"

#include <algorithm>
#include <array>

#include "protocol/http/http_syntax.h"

namespace sluice::http2 {

namespace {
constexpr std::array<std::string_view, 5> kOfConnections = {"connection", "keep-alive", "proxy-connection",
                                                            "transfer-encoding", "upgrade"};
}  // namespace

void FieldList::add(std::string_view name, std::string_view value) {
    Place place{text_.size(), name.size(), text_.size() + name.size(), value.size()};
    for (char c : name)
        text_ += http::to_lower(c);
    text_ += value;
    places_.push_back(place);
}

void FieldList::add_lines(std::string_view lines) {
    while (!lines.empty()) {
        const size_t end = lines.find("\r\n");
        const std::string_view line = lines.substr(0, end);
        lines.remove_prefix(end == lines.npos ? lines.size() : end + 2);
        const size_t colon = line.find(':');
        if (colon == line.npos || colon == 0) continue;
        const std::string_view name = line.substr(0, colon);
        if (std::any_of(kOfConnections.begin(), kOfConnections.end(),
                        [&](std::string_view one) { return http::equals_caseless(name, one); })) {
            continue;
        }
        add(name, http::trim_blanks(line.substr(colon + 1)));
    }
}

std::vector<nghttp2_nv> FieldList::as_nv() {
    std::vector<nghttp2_nv> fields;
    fields.reserve(places_.size());
    for (const Place& place : places_) {
        auto at = [&](size_t offset) { return reinterpret_cast<uint8_t*>(text_.data() + offset); };
        fields.push_back(
            {at(place.name), at(place.value), place.name_bytes, place.value_bytes, NGHTTP2_NV_FLAG_NONE});
    }
    return fields;
}

}  // namespace sluice::http2
