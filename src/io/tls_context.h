#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/ticket_keys.h"
#include "io/tls_options.h"

struct ssl_ctx_st;
struct ssl_st;

namespace sluice {
/// The certificates of one listener, loaded and checked, and what its TLS connections share: settings, the
/// keys of session tickets, the cache of sessions. May be used by several threads.
class TlsContext {
  public:
    /// Reads the files. nullptr when something is wrong with one of them; `error` is a sentence then.
    /// `tickets`: whose tickets it takes; without them only its own, for as long as it lives.
    static std::shared_ptr<const TlsContext> create(const TlsOptions& options, std::string& error,
                                                    std::shared_ptr<TicketKeys> tickets = nullptr);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    /// For TlsStream, which keeps the context alive for as long as it has the result.
    ssl_st* new_connection() const;

    /// Which of `certificates` a client gets that asks for this host; any case.
    size_t certificate_for(std::string_view host) const;

  private:
    TlsContext() = default;
    static int choose_certificate(ssl_st* connection, int* alert, void* context);
    static int choose_protocol(ssl_st* connection, const unsigned char** chosen, unsigned char* chosen_bytes,
                               const unsigned char* offered, unsigned offered_bytes, void* context);

    std::shared_ptr<TicketKeys> tickets_;
    std::vector<std::string> names_;     ///< lower case
    std::vector<ssl_ctx_st*> contexts_;  ///< by certificate; the first one holds the settings
    std::string protocols_;              ///< ALPN, as on the wire
};

}  // namespace sluice
