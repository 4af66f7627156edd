#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice::http {

/// What tells one version of a resource from another (RFC 9110 8.8).
struct Validators {
    std::string_view etag;  ///< with its quotes, and W/ before them if weak; empty: none
    std::optional<int64_t> last_modified_s;
    /// Tags of the same version in other encodings that the client may have got.
    std::span<const std::string_view> encoded_etags = {};
};

/// Whether `tag`, which stands between the quotes, is what an entity tag may hold.
bool is_entity_tag(std::string_view tag);

/// What the conditions in a request's head make of a response that would otherwise be a success: 0 to go on,
/// 304 or 412, in the order of RFC 9110 13.2.2. `is_read`: the method is GET or HEAD. `text` is what the
/// fields point into. Conditions that are malformed are treated as if they were false for tags and absent for
/// dates. `matched`: after a 304 that comes of a tag, which of the current ones that was.
uint16_t evaluate_conditions(std::span<const Field> fields, const char* text, bool is_read,
                             const Validators& current, std::string_view* matched = nullptr);

}  // namespace sluice::http
