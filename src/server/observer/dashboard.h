#pragma once

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// A page that holds nothing of the server: its script asks /api/state.
AdminAnswer answer_dashboard(Observer& observer, const AdminRequest& request);
/// The page for who has no token, which it asks for; 401.
AdminResponse sign_in_page();

}  // namespace sluice
