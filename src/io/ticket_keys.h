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

/// What TLS session tickets are sealed with. Each epoch of the system's monotonic clock has a key of its own,
/// which a hash makes of the one before: whoever has begun with one seed has the same keys without a word
/// between them, and what is known now does not open what was sealed long ago. A ticket is taken in its epoch
/// and in the next one. May be used by several threads.
class TicketKeys {
  public:
    /// A ticket is good for as long at least.
    static constexpr uint64_t kEpochMs = 3'600'000;

    struct Seed {
        uint64_t epoch;
        std::array<unsigned char, 32> secret;  ///< of the epoch before
    };

    /// A seed of its own.
    explicit TicketKeys(std::function<uint64_t()> clock_ms = monotonic_ms);
    TicketKeys(const TicketKeys&) = delete;
    TicketKeys& operator=(const TicketKeys&) = delete;
    ~TicketKeys();

    /// For another process, as of now.
    Seed seed();
    /// Goes on with that of another process.
    void adopt(const Seed& seed);

    /// Has a context, and all that connections of it may be given instead, seal tickets with `keys`; whoever
    /// has the context keeps these.
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
