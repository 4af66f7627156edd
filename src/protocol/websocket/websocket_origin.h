#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::websocket {

/// Which pages may open a WebSocket (RFC 6455 section 10.2). Browsers name the page's origin in Origin; other
/// clients may omit or forge it. So this protects users of browsers and is no authentication.
struct OriginPolicy {
    bool enabled = false;
    bool same_origin = false;    ///< the origin of the request's own host
    bool without_origin = true;  ///< requests without Origin, which no browser sends
    /// Exact (`https://example.com`, `null`), or any sub-domain (`https://*.example.com`).
    std::vector<std::string> allowed;

    bool operator==(const OriginPolicy&) const = default;

    /// `origin`: the field, empty when there is none; `host`: of the request; `secure`: it came over TLS.
    bool allows(std::string_view origin, std::string_view host, bool secure) const;
};

/// Whether OriginPolicy::allowed may hold this: `scheme://host` or `scheme://host:port`, where the host
/// may begin with `*.`, or `null`.
bool is_origin_pattern(std::string_view text);

}  // namespace sluice::websocket
