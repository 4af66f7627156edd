#pragma once

#include <cstddef>
#include <string_view>

#include "io/address.h"

/// The PROXY protocol, versions 1 and 2: what a proxy says of a connection before it passes on the first
/// byte.
namespace sluice::proxy {

/// A header of version 2 may be longer, by all that its sender likes to add; none that is in use comes near.
inline constexpr size_t kMaxHeaderBytes = 4096;

struct Header {
    size_t bytes = 0;  ///< its length; what follows is the client's
    /// Nothing is said of the client: a check of the proxy's own (LOCAL), or one that it cannot name
    /// (UNKNOWN).
    bool is_anonymous = false;
    Address source;       ///< the client's end of its connection to the proxy
    Address destination;  ///< the proxy's
};

enum class Verdict : uint8_t {
    kNeedMore,   ///< so far it may become a header
    kHeader,     ///< `header` is set
    kNoHeader,   ///< these bytes are the beginning of something else
    kMalformed,  ///< it begins like a header, but is none
};

/// Looks at the first bytes of a connection. They are neither changed nor kept: ask again with all of them
/// and more.
Verdict read_header(std::string_view bytes, Header& header);

}  // namespace sluice::proxy
