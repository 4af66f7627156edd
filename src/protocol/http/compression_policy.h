#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/http/accept_encoding.h"

namespace sluice::http {

/// Which responses of a site are compressed, and how.
struct CompressionPolicy {
    std::vector<Coding> codings = {Coding::kZstd, Coding::kBrotli, Coding::kGzip};  ///< most wanted first
    std::array<int, 4> levels = {};                                                 ///< by Coding
    uint64_t min_bytes = 1024;
    std::vector<std::string> types;  ///< "text/html", "text/*", in lower case

    /// A Content-Type value, with or without parameters.
    bool takes_type(std::string_view content_type) const;
};

/// Media types of text, and others that compress about as well.
std::span<const std::string_view> compressible_types();

/// "type/subtype" or "type/*" in lower case.
bool is_type_pattern(std::string_view text);

/// Whether "Name: value\r\n" lines let a body be encoded: not with a Content-Encoding, a Content-Range,
/// `no-transform` or a digest of the body. `type` becomes the Content-Type.
bool allows_encoding(std::string_view field_lines, std::string_view& type);

/// The entity tag of an encoded representation: a strong tag must differ between encodings (RFC 9110
/// 8.8.3.3), a weak tag need not.
std::string entity_tag_of(std::string_view etag, Coding coding);

}  // namespace sluice::http
