#pragma once

#include <map>
#include <memory>
#include <string>

#include "io/ticket_keys.h"
#include "server/config/endpoints.h"

namespace sluice {

/// The certificates in use, by listener, in a process that accepts connections or forks such
/// processes.
class TlsContexts {
  public:
    /// Reads a listener's TLS files anew. When a file cannot be used, logs it, keeps what was loaded before,
    /// and returns false.
    bool load(const EndpointSpec& spec);
    /// Loads the contexts of all of the table's listeners; drops those of others.
    void load_all(const Endpoints& endpoints);
    /// Gives the contexts to a table that no reactor has yet.
    void give_to(Endpoints& endpoints) const;

    /// Shared by all contexts: a client resumes its session after a reload, and at any reactor.
    TicketKeys& tickets() { return *tickets_; }

  private:
    std::shared_ptr<TicketKeys> tickets_ = std::make_shared<TicketKeys>();
    std::map<std::string, std::shared_ptr<const TlsContext>> by_address_;
};

}  // namespace sluice
