#include "php/server/listeners.h"

#include <optional>

#include "io/listen_address.h"
#include "php/http/document_root_class.h"
#include "php/http/script_class.h"
#include "php/options/listener_class.h"
#include "php/options/processes_class.h"

namespace sluice::php {

namespace {

enum class AddressFault { kNone, kUnreadable, kTaken };

/// The address in the form of EndpointSpec; empty when it is invalid.
std::string normal_address(std::string_view text, EndpointKind kind) {
    const std::optional<ListenAddress> address = ListenAddress::parse(text);
    if (!address || (kind == EndpointKind::kUdp && address->is_unix())) return {};
    return std::string(kind == EndpointKind::kUdp ? kUdpPrefix : "") + address->to_string();
}

AddressFault check_address(const ServerSetup& setup, std::string_view text, EndpointKind kind) {
    const std::string normal = normal_address(text, kind);
    if (normal.empty()) return AddressFault::kUnreadable;
    for (const EndpointSpec& other : setup.config.endpoints) {
        if (other.address == normal) return AddressFault::kTaken;
    }
    return AddressFault::kNone;
}

}  // namespace

void note_scripts(EndpointSpec& endpoint, const Handler& handler) {
    const bool is_folder = is_document_root(&handler.target);
    endpoint.runs_scripts = is_folder || is_script(&handler.target);
    if (!is_folder || endpoint.processes > 0) return;
    endpoint.processes = kUsualProcesses;
    endpoint.processes_of = EndpointSpec::kItself;
    endpoint.script_pool = usual_bounds(endpoint.processes);
    endpoint.stream_bodies = false;
}

bool add_listener(ServerSetup& setup, const ListenerArgument& where, EndpointKind kind, zval* target,
                  uint32_t target_number) {
    zend_string* address = where.listener ? address_of(where.listener) : where.address;
    if (CHECK_NULL_PATH(ZSTR_VAL(address), ZSTR_LEN(address))) {
        zend_argument_value_error(1, "must not contain any null bytes");
        return false;
    }
    switch (check_address(setup, view(address), kind)) {
        case AddressFault::kNone: break;
        case AddressFault::kUnreadable:
            if (kind == EndpointKind::kUdp) {
                zend_argument_value_error(
                    1,
                    "must be an IP address or localhost, and a port: \"127.0.0.1:8080\", \"[::1]:8080\" or "
                    "\"0.0.0.0:0\"; UDP has no Unix sockets; \"%s\" given",
                    ZSTR_VAL(address));
                return false;
            }
            refuse_address(address);
            return false;
        case AddressFault::kTaken:
            zend_argument_value_error(1, "must not be listened on twice, \"%s\" has a listener already",
                                      ZSTR_VAL(address));
            return false;
    }
    Handler handler = no_handler();
    const bool has_handler = kind != EndpointKind::kHttp || (target && Z_TYPE_P(target) != IS_NULL);
    if (has_handler && !make_handler(handler, target, target_number, kind)) return false;
    EndpointSpec& endpoint = setup.config.endpoints.emplace_back();
    endpoint.kind = kind;
    endpoint.has_handler = has_handler;
    endpoint.address = normal_address(view(address), kind);
    if (where.listener) apply_listener(where.listener, endpoint);
    setup.handlers.push_back(handler);
    return true;
}

}  // namespace sluice::php
