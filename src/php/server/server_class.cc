#include "php/server/server_class.h"

#include <algorithm>
#include <cmath>
#include <main/php_open_temporary_file.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/listen_address.h"
#include "php/coroutine/deadlines.h"
#include "php/http/site_class.h"
#include "php/options/access_log_class.h"
#include "php/options/http_compression_class.h"
#include "php/options/limits_class.h"
#include "php/options/proxies_class.h"
#include "php/options/tls_class.h"
#include "php/server/stats_class.h"
#include "php/sockets/framing_class.h"
#include "php/websocket/websocket_arguments.h"
#include "php/worker/asking.h"
#include "php/worker/worker.h"
#include "php/worker/worker_loop.h"
#include "php/zend/enums.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "php/zend/process_title.h"
#include "server/master/launch.h"

namespace sluice::php {

namespace {

constexpr zend_long kMostWorkers = 128, kMostReactors = 64;

zend_object_handlers handlers;

struct ServerObject {
    ServerSetup* setup;  ///< nullptr until constructed
    zend_object object;
};

/// All that are constructed and not yet freed.
std::vector<ServerObject*> servers;

/// One after the other out of its list: what goes with it may run the application's code.
void release_handlers(ServerSetup& setup) {
    while (!setup.handlers.empty()) {
        Handler handler = setup.handlers.back();
        setup.handlers.pop_back();
        release_handler(handler);
    }
    for (std::vector<Callback>* list : {&setup.on_worker_start, &setup.on_worker_stop}) {
        while (!list->empty()) {
            Callback callback = list->back();
            list->pop_back();
            release_callback(callback);
        }
    }
}

void free_server(zend_object* object) {
    ServerObject* self = embedded<ServerObject>(object);
    if (ServerSetup* setup = self->setup) {
        self->setup = nullptr;
        std::erase(servers, self);
        release_handlers(*setup);
        delete setup;
    }
    zend_object_std_dtor(object);
}

HashTable* server_references(zend_object* object, zval** table, int* count) {
    zend_get_gc_buffer* buffer = zend_get_gc_buffer_create();
    if (ServerSetup* setup = embedded<ServerObject>(object)->setup) {
        for (Handler& handler : setup->handlers) {
            zend_get_gc_buffer_add_zval(buffer, &handler.target);
            zend_get_gc_buffer_add_zval(buffer, &handler.message.callable);
            zend_get_gc_buffer_add_zval(buffer, &handler.handshake.callable);
        }
        for (Callback& callback : setup->on_worker_start)
            zend_get_gc_buffer_add_zval(buffer, &callback.callable);
        for (Callback& callback : setup->on_worker_stop)
            zend_get_gc_buffer_add_zval(buffer, &callback.callable);
    }
    zend_get_gc_buffer_use(buffer, table, count);
    return zend_std_get_properties(object);
}

zend_object* create_server(zend_class_entry* class_entry) {
    return &new_embedded<ServerObject>(class_entry, handlers)->object;
}

unsigned cpu_count() {
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<unsigned>(CPU_COUNT(&usable));
    return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

bool check_count(zend_long count, zend_long most, uint32_t number) {
    if (count >= 1 && count <= most) return true;
    zend_argument_value_error(number, "must be between 1 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                              most, count);
    return false;
}

/// The arena is divided among the reactors, and each share must hold two of the longest messages. Takes fewer
/// reactors when their number was left to us.
bool fit_reactors(zend_long arena_bytes, zend_long longest, bool may_reduce, zend_long& reactors) {
    const zend_long most = longest > 0 ? std::max<zend_long>(1, arena_bytes / (2 * longest)) : reactors;
    if (may_reduce) reactors = std::min(reactors, most);
    if (reactors <= most) return true;
    zend_argument_value_error(3,
                              "must be at most " ZEND_LONG_FMT
                              " so that each reactor's share of $arenaBytes (" ZEND_LONG_FMT
                              ") holds two messages of " ZEND_LONG_FMT " bytes, " ZEND_LONG_FMT " given",
                              most, arena_bytes, longest, reactors);
    return false;
}

/// A file that will be written has to be in a directory that is there.
bool check_file(zend_string* path, uint32_t number) {
    if (ZSTR_LEN(path) == 0) {
        zend_argument_value_error(number, "must not be empty; null is for none");
        return false;
    }
    zend_string* directory = zend_string_init(ZSTR_VAL(path), ZSTR_LEN(path), false);
    ZSTR_LEN(directory) = zend_dirname(ZSTR_VAL(directory), ZSTR_LEN(directory));
    struct stat about;
    const bool is_there = stat(ZSTR_VAL(directory), &about) == 0 && S_ISDIR(about.st_mode);
    zend_string_release(directory);
    const bool is_directory = stat(ZSTR_VAL(path), &about) == 0 && S_ISDIR(about.st_mode);
    if (is_there && !is_directory) return true;
    zend_argument_value_error(number, "must be a file in a directory that exists, \"%s\" given",
                              ZSTR_VAL(path));
    return false;
}

/// Files will be made in it.
bool check_folder(zend_string* path, uint32_t number) {
    struct stat about;
    if (stat(ZSTR_VAL(path), &about) == 0 && S_ISDIR(about.st_mode) &&
        access(ZSTR_VAL(path), W_OK | X_OK) == 0)
        return true;
    zend_argument_value_error(number, "must be a folder that can be written to, \"%s\" given",
                              ZSTR_VAL(path));
    return false;
}

bool check_request_seconds(double seconds, uint32_t number) {
    if (seconds >= 0 && seconds <= 1e6) return true;
    zend_argument_value_error(number, "must be between 0 and 1000000 seconds, %.*H given", -1, seconds);
    return false;
}

/// The setup while it may be changed; nullptr when it has thrown.
ServerSetup* open_setup(zend_object* object) {
    ServerSetup* setup = embedded<ServerObject>(object)->setup;
    if (setup->ran) {
        throw_server_exception(
            "The server was started already: listeners, handlers and callbacks come before run()");
        return nullptr;
    }
    return setup;
}

enum class AddressFault { kNone, kUnreadable, kTaken };

/// As EndpointSpec has it; empty when it is none.
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

/// Adds a listener; false when it has thrown.
bool add_listener(ServerSetup& setup, zend_string* address, EndpointKind kind, zval* target,
                  uint32_t target_number) {
    switch (check_address(setup, view(address), kind)) {
        case AddressFault::kNone: break;
        case AddressFault::kUnreadable:
            if (kind == EndpointKind::kUdp) {
                zend_argument_value_error(
                    1,
                    "must be an IP address or localhost, and a port: \"127.0.0.1:8080\", \"[::1]:8080\" or "
                    "\"0.0.0.0:0\"; UDP has no sockets in files; \"%s\" given",
                    ZSTR_VAL(address));
                return false;
            }
            zend_argument_value_error(
                1,
                "must be an IP address or localhost, and a port: \"127.0.0.1:8080\", \"[::1]:8080\" "
                "or \"0.0.0.0:0\"; or a short absolute path: \"unix:/run/app.sock\"; \"%s\" given",
                ZSTR_VAL(address));
            return false;
        case AddressFault::kTaken:
            zend_argument_value_error(1, "must be listened on once only, \"%s\" is there already",
                                      ZSTR_VAL(address));
            return false;
    }
    Handler handler;
    if (!make_handler(handler, target, target_number, kind)) return false;
    EndpointSpec& endpoint = setup.config.endpoints.emplace_back();
    endpoint.kind = kind;
    endpoint.address = normal_address(view(address), kind);
    setup.handlers.push_back(handler);
    return true;
}

/// Permissions that a listener was given, if any; false when it has thrown.
bool check_socket_mode(zend_string* address, zend_long mode, bool is_null, uint32_t number) {
    if (is_null) return true;
    if (!view(address).starts_with("unix:")) {
        zend_argument_value_error(number, "must be null for an IP address: only a Unix socket has a file");
        return false;
    }
    if (mode >= 0 && mode <= 0777) return true;
    zend_argument_value_error(number, "must be between 0 and 0777 (511), " ZEND_LONG_FMT " given", mode);
    return false;
}

void add_callback(INTERNAL_FUNCTION_PARAMETERS, std::vector<Callback> ServerSetup::*list) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    // Resolved again: parsing lets go of a function that lives for one call only.
    if (!zend_is_callable_ex(ZEND_CALL_ARG(execute_data, 1), nullptr, 0, nullptr, &cache, nullptr))
        RETURN_THROWS();
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    (setup->*list).push_back(make_callback(ZEND_CALL_ARG(execute_data, 1), &cache));
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

/// Holds C++ objects, so nothing here may call into PHP. In a worker it comes back with the worker entered.
Sentence launch_server(const ServerConfig& config) {
    LaunchHooks hooks;
    hooks.set_title = [](const std::string& title) { set_process_title(title.c_str()); };
    hooks.allocator = string_allocator();
    LaunchResult result = launch(config, hooks);
    if (!result.port) return Sentence(result.error);
    enter_worker(std::move(result), config.limits);
    for (const EndpointSpec& endpoint : config.endpoints)
        current_worker()->proxies.push_back(endpoint.proxies);
    for (const EndpointSpec& endpoint : config.endpoints)
        for (const std::string& protocol : endpoint.websocket.protocols)
            current_worker()->protocols.push_back(protocol);
    return {};
}

bool check_run(const ServerSetup& setup) {
    const char* sentence = nullptr;
    if (strcmp(sapi_module.name, "cli") != 0) {
        sentence = "A server runs on the command line only: php server.php";
    } else if (current_worker()) {
        sentence = "This process is a worker of a server: it cannot run another one";
    } else if (setup.ran) {
        sentence = "The server was started already: a server runs once";
    } else if (setup.config.endpoints.empty()) {
        sentence = "The server has no listener: call http(), tcp() or udp() before run()";
    }
    if (sentence) throw_server_exception(sentence);
    return !sentence;
}

}  // namespace

bool add_websocket(zend_object* server, size_t listener, zend_string* path, const WebSocketRoute& route) {
    ServerSetup* setup = open_setup(server);
    if (!setup) return false;
    for (const EndpointSpec& other : setup->config.endpoints) {
        if (other.kind != EndpointKind::kWebSocket || other.path != view(path)) continue;
        if (other.address != setup->config.endpoints[listener].address) continue;
        zend_argument_value_error(1, "must be added once only, \"%s\" is there already", ZSTR_VAL(path));
        return false;
    }
    Handler handler;
    if (!make_handler(handler, route.handler, 2, EndpointKind::kWebSocket)) return false;
    if (!set_handshake(handler, route.handshake, 6)) {
        release_handler(handler);
        return false;
    }
    EndpointSpec endpoint;
    endpoint.kind = EndpointKind::kWebSocket;
    endpoint.address = setup->config.endpoints[listener].address;
    endpoint.path = view(path);
    endpoint.proxies = setup->config.endpoints[listener].proxies;
    endpoint.dispatch = Dispatch::kSticky;
    route.fill(route, endpoint);
    endpoint.websocket.asks_handler = static_cast<bool>(handler.handshake);
    endpoint.websocket.wants_pongs = static_cast<bool>(handler.pong);
    setup->config.endpoints.push_back(std::move(endpoint));
    setup->handlers.push_back(handler);
    return true;
}

void release_all_handlers() {
    // All are held meanwhile: a handler may be what keeps its own server alive, or another one.
    for (ServerObject* server : servers)
        GC_ADDREF(&server->object);
    for (ServerObject* server : servers)
        release_handlers(*server->setup);
    while (!servers.empty()) {
        ServerObject* last = servers.back();
        servers.pop_back();
        OBJ_RELEASE(&last->object);
    }
}

void init_server_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_server;
    init_handlers<ServerObject>(handlers, free_server);
    handlers.get_gc = server_references;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Server, __construct) {
    zend_object* mode = nullptr;
    zend_object* limits = nullptr;
    zend_string* pid_file = nullptr;
    zend_string* log_file = nullptr;
    zend_string* temporary_folder = nullptr;
    zend_long workers = 0, reactors = 0;
    bool workers_null = true, reactors_null = true;
    ZEND_PARSE_PARAMETERS_START(0, 7)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS(mode, mode_class)
    Z_PARAM_LONG_OR_NULL(workers, workers_null)
    Z_PARAM_LONG_OR_NULL(reactors, reactors_null)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(limits, limits_class)
    Z_PARAM_PATH_STR_OR_NULL(pid_file)
    Z_PARAM_PATH_STR_OR_NULL(log_file)
    Z_PARAM_PATH_STR_OR_NULL(temporary_folder)
    ZEND_PARSE_PARAMETERS_END();

    ServerObject* self = embedded<ServerObject>(ZEND_THIS);
    if (self->setup) {
        zend_throw_error(nullptr, "Sluice\\Server is constructed already");
        RETURN_THROWS();
    }
    const zend_long cpus = cpu_count();
    if (workers_null) workers = std::min(cpus, kMostWorkers);
    if (reactors_null) reactors = std::clamp<zend_long>(cpus / 2, 1, kMostReactors);
    if (!check_count(workers, kMostWorkers, 2) || !check_count(reactors, kMostReactors, 3)) RETURN_THROWS();
    const sluice::Limits bounds = limits ? limits_of(limits) : sluice::Limits{};
    const sluice::Mode chosen = mode ? mode_of(mode) : sluice::Mode::kProcess;
    if (chosen == sluice::Mode::kProcess &&
        !fit_reactors(static_cast<zend_long>(bounds.arena_bytes),
                      static_cast<zend_long>(std::max(bounds.message_bytes, bounds.slot_body_bytes())),
                      reactors_null, reactors)) {
        RETURN_THROWS();
    }
    if (pid_file && !check_file(pid_file, 5)) RETURN_THROWS();
    if (log_file && !check_file(log_file, 6)) RETURN_THROWS();
    if (temporary_folder && !check_folder(temporary_folder, 7)) RETURN_THROWS();

    self->setup = new ServerSetup;
    servers.push_back(self);
    sluice::ServerConfig& config = self->setup->config;
    config.mode = chosen;
    config.workers = static_cast<unsigned>(workers);
    config.reactors = static_cast<unsigned>(reactors);
    config.limits = bounds;
    if (pid_file) config.pid_file = view(pid_file);
    if (log_file) config.log_file = view(log_file);
    config.temporary_folder =
        temporary_folder ? view(temporary_folder) : std::string_view(php_get_temporary_directory());
}

ZEND_METHOD(Sluice_Server, http) {
    zend_string* address;
    zval* target;
    zend_object* dispatch = nullptr;
    zend_object* tls = nullptr;
    zend_long socket_mode = 0;
    bool socket_mode_null = true;
    double request_seconds = 0;
    bool request_seconds_null = true, cancel_on_disconnect = true, stream_bodies = false, http2 = true;
    zend_object *proxies = nullptr, *compression = nullptr, *access_log = nullptr;
    ZEND_PARSE_PARAMETERS_START(2, 12)
    Z_PARAM_PATH_STR(address)
    Z_PARAM_ZVAL(target)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS(dispatch, dispatch_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(tls, tls_class)
    Z_PARAM_LONG_OR_NULL(socket_mode, socket_mode_null)
    Z_PARAM_DOUBLE_OR_NULL(request_seconds, request_seconds_null)
    Z_PARAM_BOOL(cancel_on_disconnect)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(proxies, proxies_class)
    Z_PARAM_BOOL(stream_bodies)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(compression, http_compression_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(access_log, access_log_class)
    Z_PARAM_BOOL(http2)
    ZEND_PARSE_PARAMETERS_END();

    if (!request_seconds_null && !check_request_seconds(request_seconds, 6)) RETURN_THROWS();
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !check_socket_mode(address, socket_mode, socket_mode_null, 5) ||
        !add_listener(*setup, address, sluice::EndpointKind::kHttp, target, 2))
        RETURN_THROWS();
    sluice::EndpointSpec& endpoint = setup->config.endpoints.back();
    if (!socket_mode_null) endpoint.socket_mode = static_cast<uint16_t>(socket_mode);
    if (dispatch) endpoint.dispatch = dispatch_of(dispatch);
    endpoint.request_ms = request_seconds_null ? setup->config.limits.request_ms
                                               : static_cast<uint32_t>(std::ceil(request_seconds * 1000));
    endpoint.cancel_on_disconnect = cancel_on_disconnect;
    if (proxies) endpoint.proxies = proxies_of(proxies);
    endpoint.stream_bodies = stream_bodies;
    if (compression) {
        GC_ADDREF(compression);
        setup->handlers.back().compression = compression;
    }
    if (access_log) endpoint.access_log = access_log_of(access_log);
    endpoint.http2 = http2;
    if (tls) {
        endpoint.tls = tls_of(tls);
        endpoint.tls->alpn = {"http/1.1"};
        if (http2) endpoint.tls->alpn.insert(endpoint.tls->alpn.begin(), "h2");
    }
    RETURN_OBJ(new_site(Z_OBJ_P(ZEND_THIS), setup->config.endpoints.size() - 1));
}

ZEND_METHOD(Sluice_Server, tcp) {
    zend_string* address;
    zend_object* framing;
    zval* target;
    zend_object* tls = nullptr;
    zend_long socket_mode = 0;
    bool socket_mode_null = true;
    zend_object* proxies = nullptr;
    zend_object* slow_client = nullptr;
    ZEND_PARSE_PARAMETERS_START(3, 7)
    Z_PARAM_PATH_STR(address)
    Z_PARAM_OBJ_OF_CLASS(framing, framing_class)
    Z_PARAM_ZVAL(target)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(tls, tls_class)
    Z_PARAM_LONG_OR_NULL(socket_mode, socket_mode_null)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(proxies, proxies_class)
    Z_PARAM_OBJ_OF_CLASS(slow_client, slow_client_class)
    ZEND_PARSE_PARAMETERS_END();

    const auto policy = slow_client ? slow_client_of(slow_client) : sluice::SlowClient::kWait;
    if (policy == sluice::SlowClient::kDropOldest) {
        zend_argument_value_error(7,
                                  "must not be SlowClient::DropOldest: bytes have no beginning to drop from");
        RETURN_THROWS();
    }
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !check_socket_mode(address, socket_mode, socket_mode_null, 5) ||
        !add_listener(*setup, address, sluice::EndpointKind::kTcp, target, 3))
        RETURN_THROWS();
    sluice::EndpointSpec& endpoint = setup->config.endpoints.back();
    if (!socket_mode_null) endpoint.socket_mode = static_cast<uint16_t>(socket_mode);
    endpoint.dispatch = sluice::Dispatch::kSticky;
    endpoint.framing = framing_of(framing);
    endpoint.slow_client = policy;
    if (tls) endpoint.tls = tls_of(tls);
    if (proxies) endpoint.proxies = proxies_of(proxies);
    endpoint.framing.max_message_bytes =
        std::min(endpoint.framing.max_message_bytes, setup->config.limits.message_bytes);
}

ZEND_METHOD(Sluice_Server, udp) {
    zend_string* address;
    zval* target;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_PATH_STR(address)
    Z_PARAM_ZVAL(target)
    ZEND_PARSE_PARAMETERS_END();
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !add_listener(*setup, address, sluice::EndpointKind::kUdp, target, 2)) RETURN_THROWS();
}

ZEND_METHOD(Sluice_Server, onWorkerStart) {
    add_callback(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ServerSetup::on_worker_start);
}

ZEND_METHOD(Sluice_Server, onWorkerStop) {
    add_callback(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ServerSetup::on_worker_stop);
}

ZEND_METHOD(Sluice_Server, run) {
    ZEND_PARSE_PARAMETERS_NONE();
    ServerSetup& setup = *embedded<ServerObject>(ZEND_THIS)->setup;
    if (!check_run(setup)) RETURN_THROWS();
    setup.ran = true;
    setup.config.script = SG(request_info).path_translated ? SG(request_info).path_translated : "php";
    // Nothing that a worker should not write again may wait in a buffer when it is forked.
    php_output_flush_all();
    if (EG(exception)) RETURN_THROWS();

    const Sentence error = launch_server(setup.config);
    if (!error.empty()) {
        throw_server_exception(error.text());
        RETURN_THROWS();
    }
    if (Worker* worker = current_worker()) run_worker(*worker, setup);
}

ZEND_METHOD(Sluice_Server, publish) {
    zend_string *topic, *data;
    bool binary = false;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_STR(topic)
    Z_PARAM_STR(data)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(binary)
    ZEND_PARSE_PARAMETERS_END();
    publish(topic, data, binary, sluice::kNoConnection);
}

ZEND_METHOD(Sluice_Server, subscribers) {
    zend_string* topic;
    double timeout_seconds = 5;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_STR(topic)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE(timeout_seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_topic(topic, 1) || !check_seconds(timeout_seconds, 0, 2)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    uint64_t count = 0;
    if (!ask_subscribers(*worker, view(topic), timeout_seconds, count)) RETURN_THROWS();
    RETURN_LONG(static_cast<zend_long>(count));
}

ZEND_METHOD(Sluice_Server, reload) {
    ZEND_PARSE_PARAMETERS_NONE();
    if (Worker* worker = require_worker()) worker->port->request_reload();
}

ZEND_METHOD(Sluice_Server, stop) {
    ZEND_PARSE_PARAMETERS_NONE();
    if (Worker* worker = require_worker()) worker->port->request_stop();
}

ZEND_METHOD(Sluice_Server, addresses) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    array_init(return_value);
    for (const std::string& address : worker->identity.addresses)
        add_next_index_str(return_value, new_string(address));
}

ZEND_METHOD(Sluice_Server, stats) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    RETURN_OBJ(new_stats(worker->port->stats()));
}
