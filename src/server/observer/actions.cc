#include "server/observer/actions.h"

#include "core/log.h"
#include "core/wire.h"
#include "server/observer/observer.h"
#include "server/seam/control.h"

namespace sluice {

namespace {

AdminAnswer ask_master(Observer& observer, Control wish, const char* what) {
    WireWriter order;
    order.put(wish);
    if (!observer.master().send(order.bytes()))
        return AdminResponse::problem(503, "The master cannot be told: the server ends");
    SLUICE_INFO("the admin listener was asked to %s", what);
    return AdminResponse::json(202, "{\"status\":\"accepted\"}\n");
}

}  // namespace

AdminAnswer answer_reload(Observer& observer, const AdminRequest&) {
    return ask_master(observer, Control::kWantReload, "reload");
}

AdminAnswer answer_drain(Observer& observer, const AdminRequest&) {
    return ask_master(observer, Control::kWantStop, "drain, and stop");
}

}  // namespace sluice
