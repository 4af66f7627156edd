#include "server/reactor/connection_table.h"

#include <cassert>

#include "server/sharing/client_key.h"

namespace sluice {

Connection& ConnectionTable::add(UniqueFd fd, uint16_t endpoint, const Address& peer, SlowClient policy,
                                 uint64_t now_ms) {
    assert(connections_ <= mask_ && "there are more places than connections may be");
    // A connection's place is its serial's low bits: skip a serial whose place is taken.
    while (table_[next_serial_ & mask_])
        ++next_serial_;
    const ConnectionId id = make_connection_id(reactor_, next_serial_++);
    auto& place = table_[id & mask_];
    place = std::make_unique<Connection>(id, std::move(fd), endpoint);
    place->active_ms = now_ms;
    place->address_key = client_key(peer, secret_);
    ++connections_;
    cells_.begin(id, peer, policy, endpoint);
    return *place;
}

Connection* ConnectionTable::add_stream(const Connection& parent, size_t most, uint64_t now_ms,
                                        SlowClient policy) {
    // Connections may take half of the places; streams must leave one place free.
    if (streams_ >= most || connections_ >= mask_) return nullptr;
    Connection& stream = add({}, parent.endpoint, cells_.peer(parent.id), policy, now_ms);
    ++streams_;
    stream.is_stream = true;
    stream.trusted = parent.trusted;
    stream.address_key = parent.client_key();
    stream.known = parent.known;
    cells_.take_peer_of(stream.id, parent.id);
    return &stream;
}

void ConnectionTable::remove(Connection& connection) {
    cells_.hide(connection.id);
    --connections_;
    if (connection.is_stream) --streams_;
    table_[connection.id & mask_].reset();
}

}  // namespace sluice
