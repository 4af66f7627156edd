#pragma once

#include <span>
#include <string_view>

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// One path of the admin listener.
struct AdminEndpoint {
    http::Method method;  ///< kGet or kPost
    std::string_view path;
    AdminAnswer (*answer)(Observer& observer, const AdminRequest& request);
    std::string_view purpose;  ///< one line, for the list of all
};

/// All of them. To add one: a function in a file of its own, and a row in admin_endpoints.cc.
std::span<const AdminEndpoint> admin_endpoints();

/// The answer to a request that may pass (see AdminGate): of its endpoint, or that there is none.
AdminAnswer answer_admin(Observer& observer, const AdminRequest& request);

}  // namespace sluice
