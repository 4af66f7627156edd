#include "php/websocket/websocket_endpoint_class.h"

#include <sys/random.h>

#include "php/websocket/websocket_arguments.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/websocket/websocket_answer.h"
#include "protocol/websocket/websocket_endpoint.h"

namespace sluice::php {

namespace {

using websocket::Endpoint;
using websocket::Event;
using websocket::Opcode;

constexpr zend_long kMostMessageBytes = zend_long{1} << 30;
constexpr zend_long kMostFragments = 1'000'000;

zend_object_handlers handlers;

struct EndpointObject {
    Endpoint::Options* options;
    Endpoint* endpoint;  ///< nullptr before answer()
    bool ended;          ///< it has reported a close or an error
    zend_object object;
};

zend_object* create_endpoint(zend_class_entry* class_entry) {
    return &new_embedded<EndpointObject>(class_entry, handlers)->object;
}

void free_endpoint(zend_object* object) {
    EndpointObject* self = embedded<EndpointObject>(object);
    delete self->endpoint;
    delete self->options;
    zend_object_std_dtor(object);
}

bool check_range(uint32_t number, zend_long value, zend_long least, zend_long most) {
    if (value >= least && value <= most) return true;
    zend_argument_value_error(
        number, "must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given", least,
        most, value);
    return false;
}

/// Throws and returns nullptr where there has been no handshake.
Endpoint* require_open(zval* self) {
    Endpoint* endpoint = embedded<EndpointObject>(self)->endpoint;
    if (!endpoint) zend_throw_error(nullptr, "There has been no handshake yet");
    return endpoint;
}

/// False with an exception when the kernel gives no random bytes.
bool make_key(websocket::MaskKey& key) {
    if (getrandom(key.data(), key.size(), 0) == static_cast<ssize_t>(key.size())) return true;
    zend_throw_error(nullptr, "The kernel gives no random bytes for a mask");
    return false;
}

void give_event(zval* return_value, zend_long opcode, std::string_view payload, zend_long code) {
    array_init_size(return_value, 3);
    add_next_index_long(return_value, opcode);
    add_next_index_stringl(return_value, payload.data(), payload.size());
    add_next_index_long(return_value, code);
}

/// Copies the sentence to a plain array on the stack: PHP allocates only after the std::string has gone.
void give_error(zval* return_value, const Endpoint& endpoint) {
    Sentence sentence;
    uint16_t code;
    {
        const websocket::Receiver::Error error = endpoint.receiver().error();
        sentence = Sentence(error.sentence);
        code = error.close_code;
    }
    give_event(return_value, -1, sentence.view(), code);
}

struct Answer {
    int status;
    bool compresses;
    Sentence protocol, refusal;
};

/// A function of its own, so that no C++ object is on the stack when PHP allocates.
Answer read_answer(EndpointObject& self, std::string_view head, const websocket::HandshakeOffer& offer) {
    const websocket::HandshakeAnswer read = websocket::read_answer(head, offer);
    if (read.refusal.empty()) {
        self.options->deflate = read.deflate;
        self.endpoint = new Endpoint(*self.options);
    }
    return {read.status, read.deflate.has_value(), Sentence(read.protocol), Sentence(read.refusal)};
}

}  // namespace

void init_websocket_endpoint_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_endpoint;
    init_handlers<EndpointObject>(handlers, free_endpoint);
    zend_declare_class_constant_stringl(class_entry, ZEND_STRL("DEFLATE_OFFER"),
                                        websocket::kDeflateOffer.data(), websocket::kDeflateOffer.size());
    zend_declare_class_constant_long(class_entry, ZEND_STRL("MAX_ANSWER_BYTES"),
                                     static_cast<zend_long>(websocket::kMaxAnswerBytes));
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, __construct) {
    zend_long max_message_bytes, max_fragments, level, min_bytes;
    ZEND_PARSE_PARAMETERS_START(4, 4)
    Z_PARAM_LONG(max_message_bytes)
    Z_PARAM_LONG(max_fragments)
    Z_PARAM_LONG(level)
    Z_PARAM_LONG(min_bytes)
    ZEND_PARSE_PARAMETERS_END();
    EndpointObject* self = embedded<EndpointObject>(ZEND_THIS);
    if (self->options) {
        zend_throw_error(nullptr, "It is constructed already");
        RETURN_THROWS();
    }
    if (!check_range(1, max_message_bytes, 1, kMostMessageBytes) ||
        !check_range(2, max_fragments, 1, kMostFragments) || !check_range(3, level, 1, 9) ||
        !check_range(4, min_bytes, 0, kMostMessageBytes)) {
        RETURN_THROWS();
    }
    self->options = new Endpoint::Options;
    self->options->limits.max_message_bytes = static_cast<uint64_t>(max_message_bytes);
    self->options->limits.max_fragments = static_cast<uint32_t>(max_fragments);
    self->options->level = static_cast<int>(level);
    self->options->min_bytes = static_cast<size_t>(min_bytes);
}

ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, answer) {
    zend_string *head, *key, *protocols;
    bool deflate;
    ZEND_PARSE_PARAMETERS_START(4, 4)
    Z_PARAM_STR(head)
    Z_PARAM_STR(key)
    Z_PARAM_STR(protocols)
    Z_PARAM_BOOL(deflate)
    ZEND_PARSE_PARAMETERS_END();
    EndpointObject* self = embedded<EndpointObject>(ZEND_THIS);
    if (!self->options || self->endpoint) {
        zend_throw_error(nullptr, "There is one handshake for each endpoint");
        RETURN_THROWS();
    }
    const Answer answer = read_answer(*self, view(head), {view(key), view(protocols), deflate});
    array_init_size(return_value, 4);
    add_next_index_long(return_value, answer.status);
    add_next_index_string(return_value, answer.protocol.text());
    add_next_index_bool(return_value, answer.compresses);
    add_next_index_string(return_value, answer.refusal.text());
}

ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, feed) {
    zend_string* bytes;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(bytes)
    ZEND_PARSE_PARAMETERS_END();
    if (Endpoint* endpoint = require_open(ZEND_THIS)) endpoint->feed(view(bytes));
}

ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, next) {
    ZEND_PARSE_PARAMETERS_NONE();
    Endpoint* endpoint = require_open(ZEND_THIS);
    if (!endpoint) RETURN_THROWS();
    EndpointObject* self = embedded<EndpointObject>(ZEND_THIS);
    if (self->ended) RETURN_NULL();
    const Event event = endpoint->next();
    const sluice::websocket::Receiver& receiver = endpoint->receiver();
    const std::string_view payload(receiver.message().data(), receiver.message().size());
    switch (event) {
        case Event::kMessage:
            give_event(return_value, static_cast<zend_long>(receiver.opcode()), payload, 0);
            break;
        case Event::kPing: give_event(return_value, static_cast<zend_long>(Opcode::kPing), payload, 0); break;
        case Event::kPong: give_event(return_value, static_cast<zend_long>(Opcode::kPong), payload, 0); break;
        case Event::kClose:
            self->ended = true;
            give_event(return_value, static_cast<zend_long>(Opcode::kClose), receiver.close_reason(),
                       receiver.close_code());
            break;
        case Event::kError:
            self->ended = true;
            give_error(return_value, *endpoint);
            break;
        default: RETURN_NULL();
    }
}

ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, frame) {
    zend_long opcode;
    zend_string* payload;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_LONG(opcode)
    Z_PARAM_STR(payload)
    ZEND_PARSE_PARAMETERS_END();
    Endpoint* endpoint = require_open(ZEND_THIS);
    if (!endpoint) RETURN_THROWS();
    switch (static_cast<Opcode>(opcode)) {
        case Opcode::kText:
            if (!check_message(payload, false, 2)) RETURN_THROWS();
            break;
        case Opcode::kBinary: break;
        case Opcode::kPing:
        case Opcode::kPong:
            if (ZSTR_LEN(payload) <= sluice::websocket::kMaxControlPayloadBytes) break;
            zend_argument_value_error(2, "must be at most %zu bytes long, %zu given",
                                      sluice::websocket::kMaxControlPayloadBytes, ZSTR_LEN(payload));
            RETURN_THROWS();
        default:
            zend_argument_value_error(1, "must be 1, 2, 9 or 10, " ZEND_LONG_FMT " given", opcode);
            RETURN_THROWS();
    }
    sluice::websocket::MaskKey key;
    if (!make_key(key)) RETURN_THROWS();
    RETURN_VIEW(endpoint->frame(static_cast<Opcode>(opcode), view(payload), key));
}

ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, closeFrame) {
    zend_long code;
    zend_string* reason;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_LONG(code)
    Z_PARAM_STR(reason)
    ZEND_PARSE_PARAMETERS_END();
    Endpoint* endpoint = require_open(ZEND_THIS);
    if (!endpoint) RETURN_THROWS();
    char payload[sluice::websocket::kMaxControlPayloadBytes];
    size_t size = 0;
    // A close frame without a code is answered without a code.
    if (code != sluice::websocket::close_code::kNoStatus) {
        if (!check_close(code, reason)) RETURN_THROWS();
        size = sluice::websocket::write_close_payload(payload, static_cast<uint16_t>(code), view(reason));
    }
    sluice::websocket::MaskKey key;
    if (!make_key(key)) RETURN_THROWS();
    RETURN_VIEW(endpoint->frame(Opcode::kClose, {payload, size}, key));
}
