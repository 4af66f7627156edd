#include "server/observer/log_lines.h"

#include "server/observer/observer.h"

namespace sluice {

AdminAnswer answer_log(Observer& observer, const AdminRequest&) {
    AdminResponse response;
    response.type = "text/plain; charset=utf-8";
    response.body = observer.layout().server().shared_log.tail();
    return response;
}

}  // namespace sluice
