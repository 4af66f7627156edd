// Whatever a server answers to a handshake, nothing is agreed on that was not offered.
#include "protocol/websocket/websocket_answer.h"

#include "fuzz_input.h"
#include "protocol/websocket/websocket_handshake.h"

using namespace sluice;
using namespace sluice::websocket;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const uint8_t choice = input.byte();
    const bool deflate = choice & 1;
    const std::string_view protocols = choice & 2 ? "soap, chat" : "";
    const HandshakeAnswer answer =
        read_answer(input.rest(), {"dGhlIHNhbXBsZSBub25jZQ==", protocols, deflate});
    if (!answer.refusal.empty()) return 0;
    fuzz::require(answer.status == 101, "another status was accepted");
    fuzz::require(deflate || !answer.deflate, "compression was not offered");
    fuzz::require(answer.protocol.empty() || offers_protocol(protocols, answer.protocol),
                  "that was not offered");
    fuzz::require(input.rest().find(accept_key("dGhlIHNhbXBsZSBub25jZQ==")) != std::string_view::npos,
                  "no key");
    return 0;
}
