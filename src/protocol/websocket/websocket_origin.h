#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::websocket {

/// Which pages may open a WebSocket (RFC 6455 section 10.2). Browsers say in Origin what page asks; other
/// clients say nothing, or whatever they like, so this protects users of browsers and is no authentication.
struct OriginPolicy {
    bool enabled = false;
    bool same_origin = false;    ///< the origin that the request itself is for
    bool without_origin = true;  ///< requests that have none, so no browser's
    /// Exact (`https://example.com`, `null`), or any sub-domain (`https://*.example.com`).
    std::vector<std::string> allowed;

    bool operator==(const OriginPolicy&) const = default;

    /// `origin`: the field, empty when there is none; `host`: of the request; `secure`: it came over TLS.
    bool allows(std::string_view origin, std::string_view host, bool secure) const;
};

/// Whether this can stand in OriginPolicy::allowed: `scheme://host` or `scheme://host:port`, where the host
/// may begin with `*.`, or `null`.
bool is_origin_pattern(std::string_view text);

}  // namespace sluice::websocket
