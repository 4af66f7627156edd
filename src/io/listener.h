#pragma once

#include <string>

#include "core/unique_fd.h"
#include "io/address.h"

namespace sluice {

/// Opens a listening TCP socket, non-blocking. With `share` (SO_REUSEPORT) several sockets of this user may
/// listen on one address and the kernel spreads the connections. Port 0 becomes a free one: `bound` tells
/// which. On failure the descriptor is empty and `error` is a sentence.
UniqueFd open_listener(const Address& address, bool share, Address& bound, std::string& error);

/// A socket that is bound to the address and does not listen: clients are refused. Empty, with a sentence in
/// `error`, when somebody listens there, with SO_REUSEPORT or without.
UniqueFd claim_address(const Address& address, std::string& error);

}  // namespace sluice
