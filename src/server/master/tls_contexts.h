#pragma once

#include <map>
#include <memory>
#include <string>

#include "io/ticket_keys.h"
#include "server/config/endpoints.h"

namespace sluice {

/// The certificates that are in use, by listener, in a process that accepts connections or forks those that
/// do.
class TlsContexts {
  public:
    /// Reads what this listener speaks TLS with, anew. When its files cannot be used, that is logged, what
    /// was loaded for it before stays, and the answer is false.
    bool load(const EndpointSpec& spec);
    /// Everything that the table's listeners need; what they do not need any more is forgotten.
    void load_all(const Endpoints& endpoints);
    /// To a table that no reactor has yet.
    void give_to(Endpoints& endpoints) const;

    /// Of all of them: a client goes on with a session after a reload, and with whichever reactor.
    TicketKeys& tickets() { return *tickets_; }

  private:
    std::shared_ptr<TicketKeys> tickets_ = std::make_shared<TicketKeys>();
    std::map<std::string, std::shared_ptr<const TlsContext>> by_address_;
};

}  // namespace sluice
