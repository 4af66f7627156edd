#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "core/clock.h"

struct evp_cipher_ctx_st;
struct evp_mac_ctx_st;
struct ssl_ctx_st;
struct ssl_st;

namespace sluice {

/// The keys of TLS session tickets. Each epoch of the system's monotonic clock has its own key, which is
/// hashed from the secret of the epoch before: processes with one seed derive one sequence of keys without
/// talking to each other, and a current key does not open tickets of long ago (forward secrecy). A ticket is
/// accepted in its epoch and in the next one. Thread-safe.
class TicketKeys {
  public:
    /// A ticket is accepted for at least this long.
    static constexpr uint64_t kEpochMs = 3'600'000;

    struct Seed {
        uint64_t epoch;
        std::array<unsigned char, 32> secret;  ///< of the epoch before
    };

    /// Begins with a random seed.
    explicit TicketKeys(std::function<uint64_t()> clock_ms = monotonic_ms);
    TicketKeys(const TicketKeys&) = delete;
    TicketKeys& operator=(const TicketKeys&) = delete;
    ~TicketKeys();

    /// The current seed, for another process.
    Seed seed();
    /// Continues with the seed of another process.
    void adopt(const Seed& seed);

    /// Makes a context, and those that its connections may switch to, seal tickets with `keys`; the context's
    /// owner must keep `keys` alive.
    static void use(ssl_ctx_st* context, TicketKeys& keys);

  private:
    static constexpr size_t kNameBytes = 16;
    struct Key {
        std::array<unsigned char, kNameBytes> name;
        std::array<unsigned char, 32> cipher, mac;
    };
    using Secret = std::array<unsigned char, 32>;

    static int callback(ssl_st* connection, unsigned char* name, unsigned char* iv, evp_cipher_ctx_st* cipher,
                        evp_mac_ctx_st* mac, int sealing);
    static Secret after(const Secret& secret);
    static Key key_of(const Secret& secret);
    void go_on();
    void make_keys();

    const std::function<uint64_t()> clock_ms_;
    std::mutex mutex_;
    uint64_t epoch_;
    Secret secret_;  ///< of the epoch before
    Key previous_, current_;
};

}  // namespace sluice
