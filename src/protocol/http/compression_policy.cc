#include "protocol/http/compression_policy.h"

#include <algorithm>

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

constexpr std::string_view kTypes[] = {
    "text/*",
    "application/atom+xml",
    "application/geo+json",
    "application/graphql-response+json",
    "application/javascript",
    "application/json",
    "application/ld+json",
    "application/manifest+json",
    "application/problem+json",
    "application/rss+xml",
    "application/wasm",
    "application/x-ndjson",
    "application/xhtml+xml",
    "application/xml",
    "font/otf",
    "font/ttf",
    "image/bmp",
    "image/svg+xml",
    "image/vnd.microsoft.icon",
};

}  // namespace

std::span<const std::string_view> compressible_types() {
    return kTypes;
}

bool is_type_pattern(std::string_view text) {
    const size_t slash = text.find('/');
    if (slash == text.npos || !is_token(text.substr(0, slash))) return false;
    const std::string_view subtype = text.substr(slash + 1);
    if (text.substr(0, slash).find('*') != text.npos) return false;
    if (subtype != "*" && (!is_token(subtype) || subtype.find('*') != subtype.npos)) return false;
    return std::none_of(text.begin(), text.end(), [](char byte) { return byte != to_lower(byte); });
}

bool CompressionPolicy::takes_type(std::string_view content_type) const {
    const std::string_view type = trim_blanks(content_type.substr(0, content_type.find(';')));
    return std::any_of(types.begin(), types.end(), [&](std::string_view wanted) {
        if (!wanted.ends_with("/*")) return equals_caseless(type, wanted);
        wanted.remove_suffix(1);
        return equals_caseless(type.substr(0, wanted.size()), wanted);
    });
}

bool allows_encoding(std::string_view lines, std::string_view& type) {
    type = {};
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\r'));
        lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
        const size_t colon = std::min(line.find(':'), line.size());
        const std::string_view name = line.substr(0, colon);
        const std::string_view value = trim_blanks(line.substr(std::min(colon + 1, line.size())));
        for (const std::string_view settled :
             {"content-encoding", "content-range", "content-digest", "repr-digest", "digest", "content-md5"})
            if (equals_caseless(name, settled)) return false;
        if (equals_caseless(name, "cache-control") && list_has_token(value, "no-transform")) return false;
        if (equals_caseless(name, "content-type")) type = value;
    }
    return true;
}

std::string entity_tag_of(std::string_view etag, Coding coding) {
    std::string tag(etag);
    if (coding == Coding::kIdentity || tag.size() < 2 || tag[0] != '"') return tag;
    tag.pop_back();
    tag += '-';
    tag += coding_name(coding);
    tag += '"';
    return tag;
}

}  // namespace sluice::http
