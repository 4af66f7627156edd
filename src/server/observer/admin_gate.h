#pragma once

#include <optional>

#include "server/config/admin_spec.h"
#include "server/observer/admin_message.h"

namespace sluice {

/// Who may ask the admin listener what.
///
/// With a token, every request carries it as `Authorization: Bearer …`, which no page of another origin can
/// make a browser send. Without one, a request over TCP has to name a loopback address as its host: a page
/// whose name was made to resolve to 127.0.0.1 (DNS rebinding) names itself.
class AdminGate {
  public:
    explicit AdminGate(const AdminSpec& spec);

    /// Nothing: the request may pass.
    std::optional<AdminResponse> refuse(const AdminRequest& request) const;
    /// Whether the request has the token, or none is demanded.
    bool has_token(const AdminRequest& request) const;

  private:
    std::string token_;
    bool is_unix_;
};

/// Whether clients of other machines cannot reach this address.
bool is_local(const AdminSpec& spec);

}  // namespace sluice
