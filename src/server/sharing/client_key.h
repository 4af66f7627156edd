#pragma once

#include <cstdint>

#include "io/address.h"

namespace sluice {

/// The client key, which one flow and one share of each budget stand for: the IPv4 address, or the IPv6
/// address's /64 network, which is what a single customer has. 0: without an IP address nobody knows the
/// client; then its connection stands for it. `secret` keeps clients from choosing addresses whose keys
/// collide with those of others.
///
/// The reactor computes it, once for a connection, and for each request that a trusted proxy names a client
/// of. Workers are told with each message.
uint64_t client_key(const Address& client, uint64_t secret);

}  // namespace sluice
