// For any answer of a server to a client's handshake, the client accepts only status 101 with the right key,
// and a sub-protocol and compression only if it has offered them.
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
    fuzz::require(answer.status == 101, "a status other than 101 was accepted");
    fuzz::require(deflate || !answer.deflate, "compression was accepted that was not offered");
    fuzz::require(answer.protocol.empty() || offers_protocol(protocols, answer.protocol),
                  "a sub-protocol was accepted that was not offered");
    fuzz::require(input.rest().find(accept_key("dGhlIHNhbXBsZSBub25jZQ==")) != std::string_view::npos,
                  "an answer without the key was accepted");
    return 0;
}
