#pragma once

#include <optional>

#include "io/address.h"
#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

void init_udp_peer_class(zend_class_entry* class_entry);

/// The sender of a datagram (inbound::Datagram), whose payload begins with the address; nothing when the
/// address is invalid.
std::optional<Address> sender_of(std::string_view payload);

/// A Sluice\Udp\Peer.
zend_object* new_udp_peer(const Address& address, const Inbound& message);

}  // namespace sluice::php
