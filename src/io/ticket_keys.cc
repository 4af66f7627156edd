#include "io/ticket_keys.h"

#include <cstring>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <string_view>

namespace sluice {

namespace {
using Digest = std::array<unsigned char, 32>;

/// SHA-256 over the name of the use and the secret.
Digest hash(std::string_view use, const Digest& secret) {
    std::array<unsigned char, 64> input = {};
    memcpy(input.data(), use.data(), use.size());
    memcpy(input.data() + 32, secret.data(), secret.size());
    Digest digest;
    EVP_Digest(input.data(), input.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    OPENSSL_cleanse(input.data(), input.size());
    return digest;
}
}  // namespace

TicketKeys::TicketKeys(std::function<uint64_t()> clock_ms)
    : clock_ms_(std::move(clock_ms)), epoch_(clock_ms_() / kEpochMs) {
    // Without randomness OpenSSL could not do a single handshake either.
    RAND_priv_bytes(secret_.data(), static_cast<int>(secret_.size()));
    make_keys();
}

TicketKeys::~TicketKeys() {
    OPENSSL_cleanse(secret_.data(), secret_.size());
    OPENSSL_cleanse(&previous_, sizeof previous_);
    OPENSSL_cleanse(&current_, sizeof current_);
}

TicketKeys::Secret TicketKeys::after(const Secret& secret) {
    return hash("sluice: the next epoch", secret);
}

TicketKeys::Key TicketKeys::key_of(const Secret& secret) {
    Key key;
    const Digest name = hash("sluice: a ticket's name", secret);
    memcpy(key.name.data(), name.data(), key.name.size());
    key.cipher = hash("sluice: a ticket's cipher", secret);
    key.mac = hash("sluice: a ticket's code", secret);
    return key;
}

void TicketKeys::make_keys() {
    previous_ = key_of(secret_);
    current_ = key_of(after(secret_));
}

void TicketKeys::go_on() {
    const uint64_t now = clock_ms_() / kEpochMs;
    if (now <= epoch_) return;
    for (; epoch_ < now; ++epoch_)
        secret_ = after(secret_);
    make_keys();
}

TicketKeys::Seed TicketKeys::seed() {
    const std::lock_guard lock(mutex_);
    go_on();
    return {epoch_, secret_};
}

void TicketKeys::adopt(const Seed& seed) {
    const std::lock_guard lock(mutex_);
    epoch_ = seed.epoch;
    secret_ = seed.secret;
    make_keys();
}

void TicketKeys::use(SSL_CTX* context, TicketKeys& keys) {
    SSL_CTX_set_app_data(context, &keys);
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, callback);
}

/// Returns what OpenSSL expects: 1: done; 2: the ticket is valid, and a new one shall replace it; 0: unknown
/// key; -1: error.
int TicketKeys::callback(SSL* connection, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                         EVP_MAC_CTX* mac, int sealing) {
    TicketKeys& self = *static_cast<TicketKeys*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(connection)));
    const std::lock_guard lock(self.mutex_);
    self.go_on();
    Key* key = &self.current_;
    if (sealing) {
        memcpy(name, key->name.data(), kNameBytes);
        if (RAND_bytes(iv, EVP_CIPHER_iv_length(EVP_aes_256_cbc())) != 1) return -1;
    } else if (memcmp(name, key->name.data(), kNameBytes) != 0) {
        key = &self.previous_;
        if (memcmp(name, key->name.data(), kNameBytes) != 0) return 0;
    }
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key->mac.data(), key->mac.size()),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
    if (EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), nullptr, key->cipher.data(), iv, sealing) != 1 ||
        EVP_MAC_CTX_set_params(mac, parameters) != 1) {
        return -1;
    }
    return key == &self.previous_ ? 2 : 1;
}

}  // namespace sluice
