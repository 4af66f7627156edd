#pragma once

#include <cstddef>
#include <string_view>

#include "io/address.h"

/// The PROXY protocol, versions 1 and 2: a header by which a proxy describes a connection before it passes on
/// the first byte.
namespace sluice::proxy {

/// A header of version 2 may be longer, by TLVs that its sender adds; no header in use comes near this limit.
inline constexpr size_t kMaxHeaderBytes = 4096;

struct Header {
    size_t bytes = 0;  ///< its length; the bytes behind it are the client's
    /// The header names no client: it is a health check of the proxy's own (LOCAL), or its address is
    /// UNKNOWN.
    bool is_anonymous = false;
    Address source;       ///< the client's end of its connection to the proxy
    Address destination;  ///< the proxy's
};

enum class Verdict : uint8_t {
    kNeedMore,   ///< the bytes so far may become a header
    kHeader,     ///< `header` is set
    kNoHeader,   ///< these bytes are the beginning of something else
    kMalformed,  ///< the bytes begin like a header, but are none
};

/// Looks at the first bytes of a connection. The bytes are not changed or kept: to ask again, give all of
/// them and more.
Verdict read_header(std::string_view bytes, Header& header);

}  // namespace sluice::proxy
