#include "server/observer/health.h"

namespace sluice {

AdminAnswer answer_livez(Observer&, const AdminRequest&) {
    return AdminResponse::json(200, "{\"status\":\"alive\"}\n");
}

}  // namespace sluice
