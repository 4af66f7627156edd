#include "server/sharing/client_key.h"

#include <cstring>

namespace sluice {

namespace {
/// A mixing function: every bit of the input affects every bit of the output.
uint64_t mix(uint64_t value) {
    value ^= value >> 30;
    value *= 0xbf58476d1ce4e5b9u;
    value ^= value >> 27;
    value *= 0x94d049bb133111ebu;
    return value ^ value >> 31;
}
}  // namespace

uint64_t client_key(const Address& client, uint64_t secret) {
    if (!client.is_ip()) return 0;
    uint64_t network = 0;
    memcpy(&network, client.ip, sizeof network);
    const uint64_t key = mix(mix(network ^ secret) + client.family * 0x9e3779b97f4a7c15u + secret);
    return key ? key : 1;
}

}  // namespace sluice
