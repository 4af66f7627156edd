#include "php/sockets/udp_dispatch.h"

#include "php/sockets/udp_peer_class.h"
#include "php/worker/dispatch.h"
#include "php/worker/handler_calls.h"

namespace sluice::php {

namespace {

class DatagramFrom final : public Occasion {
  public:
    DatagramFrom(const Address& sender, ConnectionId socket) : sender_(sender), socket_(socket) {}
    Sentence name() const override { return Sentence("a UDP handler, a datagram of " + sender_.to_string()); }
    /// Anybody can write a sender's address.
    uint64_t client() const override { return socket_; }

  private:
    const Address& sender_;
    ConnectionId socket_;
};

bool dispatch_datagram(Worker& worker, const Endpoint& endpoint, Handling& handling) {
    const Inbound& message = handling.message;
    zend_string* payload = worker.strings.take(message);
    const std::string_view bytes = view(payload);
    const std::optional<Address> sender = sender_of(bytes);
    bool goes_on = true;
    if (sender) {
        zval arguments[2];
        ZVAL_OBJ(&arguments[0], new_udp_peer(*sender, message));
        ZVAL_STR(&arguments[1],
                 zend_string_init(bytes.data() + sizeof(Address), bytes.size() - sizeof(Address), false));
        zend_string_release(payload);
        worker.strings.settle(message, payload);
        const DatagramFrom datagram(*sender, message.connection);
        call_handler(worker, datagram, endpoint.handler.message, 2, arguments);
        goes_on = check_exception(worker, datagram.name().text());
        zval_ptr_dtor(&arguments[1]);
        zval_ptr_dtor(&arguments[0]);
    } else {
        zend_string_release(payload);
        worker.strings.settle(message, payload);
    }
    return goes_on;
}

}  // namespace

void init_udp_dispatch() {
    dispatch_by(EndpointKind::kUdp, dispatch_datagram);
}

}  // namespace sluice::php
