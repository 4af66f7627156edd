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
    /// Tags of this version in other encodings, which the client may have received.
    std::span<const std::string_view> encoded_etags = {};
};

/// Whether an entity tag may hold `tag`, given without its quotes.
bool is_entity_tag(std::string_view tag);

/// Evaluates the conditional fields of a request whose response would otherwise be a success, in the order of
/// RFC 9110 13.2.2: 0 to go on, 304 or 412. `is_read`: the method is GET or HEAD. `text` is what the fields
/// point into. A malformed list of tags ends at its fault; a malformed date is ignored. `matched`: after a
/// 304 by a tag, which of the current tags matched.
uint16_t evaluate_conditions(std::span<const Field> fields, const char* text, bool is_read,
                             const Validators& current, std::string_view* matched = nullptr);

}  // namespace sluice::http
