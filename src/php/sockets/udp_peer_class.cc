#include "php/sockets/udp_peer_class.h"

#include "io/datagram_socket.h"
#include "php/worker/delivery.h"
#include "php/worker/sending.h"
#include "php/worker/worker.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

zend_class_entry* udp_peer_class;
zend_object_handlers handlers;

struct UdpPeerObject {
    Address address;
    ConnectionId reactor;  ///< as in commands; see udp_id()
    uint16_t endpoint;
    zend_object object;
};

zend_object* create_peer(zend_class_entry* class_entry) {
    return &new_embedded<UdpPeerObject>(class_entry, handlers)->object;
}

}  // namespace

void init_udp_peer_class(zend_class_entry* class_entry) {
    udp_peer_class = class_entry;
    class_entry->create_object = create_peer;
    init_handlers<UdpPeerObject>(handlers, zend_object_std_dtor);
}

std::optional<Address> sender_of(std::string_view payload) {
    Address address;
    if (payload.size() < sizeof address) return std::nullopt;
    memcpy(&address, payload.data(), sizeof address);
    if (!address.is_ip()) return std::nullopt;
    return address;
}

zend_object* new_udp_peer(const Address& address, const Inbound& message) {
    UdpPeerObject* self = new_embedded<UdpPeerObject>(udp_peer_class, handlers);
    self->address = address;
    self->reactor = message.connection;
    self->endpoint = message.endpoint;
    return &self->object;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Udp_Peer, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Udp_Peer, address) {
    ZEND_PARSE_PARAMETERS_NONE();
    const std::string text = embedded<UdpPeerObject>(ZEND_THIS)->address.to_string();
    RETURN_STRINGL(text.data(), text.size());
}

ZEND_METHOD(Sluice_Udp_Peer, send) {
    zend_string* datagram;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(datagram)
    ZEND_PARSE_PARAMETERS_END();

    if (ZSTR_LEN(datagram) > sluice::kMostDatagramBytes) {
        zend_argument_value_error(1,
                                  "must be at most %zu bytes long, which is all that UDP carries, %zu given",
                                  sluice::kMostDatagramBytes, ZSTR_LEN(datagram));
        RETURN_THROWS();
    }
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    const UdpPeerObject* self = embedded<UdpPeerObject>(ZEND_THIS);
    const sluice::Command command{.what = sluice::command::SendDatagram{self->address, self->endpoint},
                                  .connection = self->reactor,
                                  .payload = view(datagram)};
    const sluice::Delivery delivery = submit(*worker, command);
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}
