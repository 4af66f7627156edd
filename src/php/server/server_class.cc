#include "php/server/server_class.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <main/php_open_temporary_file.h>
#include <unistd.h>
#include <vector>

#include "io/process_report.h"
#include "php/coroutine/deadlines.h"
#include "php/http/classic_request.h"
#include "php/leaks/write_watch.h"
#include "php/options/http_options_class.h"
#include "php/options/limits_class.h"
#include "php/options/listener_class.h"
#include "php/options/protocol_limits_class.h"
#include "php/options/server_enums.h"
#include "php/server/cron.h"
#include "php/server/early_signals.h"
#include "php/server/listeners.h"
#include "php/server/script_processes.h"
#include "php/server/server_arguments.h"
#include "php/server/server_object.h"
#include "php/server/server_services.h"
#include "php/server/site_class.h"
#include "php/server/stats_class.h"
#include "php/server/tracing_arguments.h"
#include "php/sockets/framing_class.h"
#include "php/websocket/websocket_arguments.h"
#include "php/worker/ask_reactors.h"
#include "php/worker/connection.h"
#include "php/worker/misread_superglobals.h"
#include "php/worker/php_messages.h"
#include "php/worker/string_allocator.h"
#include "php/worker/topic_arguments.h"
#include "php/worker/worker.h"
#include "php/worker/worker_loop.h"
#include "php/worker/worker_report.h"
#include "php/zend/backtraces.h"
#include "php/zend/enum_cases.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "php/zend/process_title.h"
#include "server/master/launch.h"

namespace sluice::php {

namespace {

constexpr zend_long kMostWorkers = 128, kMostReactors = 64;
constexpr zend_long kMostListed = 10'000;

int by_number(Bucket* one, Bucket* other) {
    return ZEND_THREEWAY_COMPARE(Z_LVAL(one->val), Z_LVAL(other->val));
}

zend_object_handlers handlers;

/// All that are constructed and not yet freed.
std::vector<ServerObject*> servers;

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
    if (const ServerSetup* setup = embedded<ServerObject>(object)->setup) add_references(*setup, buffer);
    zend_get_gc_buffer_use(buffer, table, count);
    return zend_std_get_properties(object);
}

zend_object* create_server(zend_class_entry* class_entry) {
    return &new_embedded<ServerObject>(class_entry, handlers)->object;
}

std::vector<Callback>& list_of(ServerSetup& setup, std::vector<Callback> ServerSetup::*list) {
    return setup.*list;
}
std::vector<Callback>& list_of(ServerSetup& setup, std::vector<Callback> Observers::*list) {
    return setup.observers.*list;
}

template <typename Owner>
void add_callback(INTERNAL_FUNCTION_PARAMETERS, std::vector<Callback> Owner::*list) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    // Resolve again: parsing frees a trampoline function (__call).
    if (!zend_is_callable_ex(ZEND_CALL_ARG(execute_data, 1), nullptr, 0, nullptr, &cache, nullptr))
        RETURN_THROWS();
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    list_of(*setup, list).push_back(make_callback(ZEND_CALL_ARG(execute_data, 1), &cache));
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

/// Holds C++ objects, so nothing here may call into PHP. In a worker it comes back with the worker entered.
Sentence launch_server(const ServerConfig& config) {
    LaunchHooks hooks;
    hooks.set_title = [](const std::string& title) { set_process_title(title.c_str()); };
    hooks.has_ended = end_well_on_signals;
    hooks.stack_of = stack_of_child;
    hooks.allocator = string_allocator();
    log_php_messages();
    LaunchResult result = launch(config, hooks);
    if (!result.port) return Sentence(result.error);
    sluice::ProcessReport::describe_by(describe_worker_process);
    enter_worker(std::move(result.port), std::move(result.identity), config);
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

void release_all_handlers() {
    // Hold references to all: a handler may keep its own server alive, or another one.
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
    zend_long most_workers = 0;
    bool workers_null = true, reactors_null = true, most_null = true;
    ZEND_PARSE_PARAMETERS_START(0, 8)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS(mode, mode_class)
    Z_PARAM_LONG_OR_NULL(workers, workers_null)
    Z_PARAM_LONG_OR_NULL(reactors, reactors_null)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(limits, limits_class)
    Z_PARAM_PATH_STR_OR_NULL(pid_file)
    Z_PARAM_PATH_STR_OR_NULL(log_file)
    Z_PARAM_PATH_STR_OR_NULL(temporary_folder)
    Z_PARAM_LONG_OR_NULL(most_workers, most_null)
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
    const sluice::ProtocolLimits protocols = limits ? protocol_limits_of(limits) : sluice::ProtocolLimits{};
    const sluice::Mode chosen = mode ? mode_of(mode) : sluice::Mode::kProcess;
    if (chosen == sluice::Mode::kProcess &&
        !fit_reactors(
            static_cast<zend_long>(bounds.arena_bytes),
            static_cast<zend_long>(std::max({protocols.websocket.message_bytes, protocols.tcp.message_bytes,
                                             protocols.http.memory_body_bytes(bounds.temporary_file_bytes)})),
            reactors_null, reactors)) {
        RETURN_THROWS();
    }
    if (most_null) most_workers = workers;
    if (!check_most_workers(workers, most_workers, kMostWorkers, chosen, 8)) RETURN_THROWS();
    if (pid_file && !check_file(pid_file, 5)) RETURN_THROWS();
    if (log_file && !check_file(log_file, 6)) RETURN_THROWS();
    if (temporary_folder && !check_folder(temporary_folder, 7)) RETURN_THROWS();

    remember_early_signals();
    self->setup = new ServerSetup;
    servers.push_back(self);
    sluice::ServerConfig& config = self->setup->config;
    config.mode = chosen;
    config.workers = static_cast<unsigned>(most_workers);
    config.least_workers = static_cast<unsigned>(workers);
    config.reactors = static_cast<unsigned>(reactors);
    config.limits = bounds;
    self->setup->limits = protocols;
    self->setup->reactors_chosen = !reactors_null;
    if (pid_file) config.pid_file = view(pid_file);
    if (log_file) config.log_file = view(log_file);
    config.temporary_folder =
        temporary_folder ? view(temporary_folder) : std::string_view(php_get_temporary_directory());
}

ZEND_METHOD(Sluice_Server, http) {
    ListenerArgument where;
    zval* target = nullptr;
    zend_object *options = nullptr, *limits = nullptr, *http2 = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 5)
    Z_PARAM_OBJ_OF_CLASS_OR_STR(where.listener, listener_class, where.address)
    Z_PARAM_OPTIONAL
    Z_PARAM_ZVAL(target)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(options, http_options_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(limits, http_limits_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(http2, http2_limits_class)
    ZEND_PARSE_PARAMETERS_END();

    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    sluice::EndpointSpec own;
    own.limits = setup->limits;
    override_limits(own.limits, limits);
    override_limits(own.limits, http2);
    if (!check_limits(setup->config.limits, own.limits, 4) || !fit_endpoint(*setup, own, 4) ||
        !add_listener(*setup, where, sluice::EndpointKind::kHttp, target, 2))
        RETURN_THROWS();
    sluice::EndpointSpec& endpoint = setup->config.endpoints.back();
    endpoint.limits = own.limits;
    zend_object* compression = nullptr;
    apply_options(options, endpoint, compression);
    note_scripts(endpoint, setup->handlers.back());
    endpoint.concurrency_of = static_cast<uint16_t>(setup->config.endpoints.size() - 1);
    endpoint.processes_of = endpoint.concurrency_of;
    setup->handlers.back().shows_errors = shows_errors(options, false);
    if (zend_string* html = page_end(options, nullptr))
        setup->handlers.back().page_end = zend_string_copy(html);
    if (compression) {
        GC_ADDREF(compression);
        setup->handlers.back().compression = compression;
    }
    if (endpoint.tls) {
        if (endpoint.http2) endpoint.tls->alpn.push_back("h2");
        if (endpoint.http1) endpoint.tls->alpn.push_back("http/1.1");
    }
    RETURN_OBJ(new_site(Z_OBJ_P(ZEND_THIS), setup->config.endpoints.size() - 1));
}

ZEND_METHOD(Sluice_Server, tcp) {
    ListenerArgument where;
    zend_object* framing;
    zval* target;
    zend_object *limits = nullptr, *slow_client = nullptr;
    ZEND_PARSE_PARAMETERS_START(3, 5)
    Z_PARAM_OBJ_OF_CLASS_OR_STR(where.listener, listener_class, where.address)
    Z_PARAM_OBJ_OF_CLASS(framing, framing_class)
    Z_PARAM_ZVAL(target)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(limits, tcp_limits_class)
    Z_PARAM_OBJ_OF_CLASS(slow_client, slow_client_class)
    ZEND_PARSE_PARAMETERS_END();

    const auto policy = slow_client ? slow_client_of(slow_client) : sluice::SlowClient::kWait;
    if (policy == sluice::SlowClient::kDropOldest) {
        zend_argument_value_error(5,
                                  "must not be SlowClient::DropOldest: it would leave a hole in the stream");
        RETURN_THROWS();
    }
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    sluice::EndpointSpec own;
    own.kind = sluice::EndpointKind::kTcp;
    own.limits = setup->limits;
    override_limits(own.limits, limits);
    own.framing = framing_of(framing);
    own.framing.max_message_bytes = std::min(own.framing.max_message_bytes, own.limits.tcp.message_bytes);
    if (!check_limits(setup->config.limits, own.limits, 4) || !fit_endpoint(*setup, own, 4) ||
        !add_listener(*setup, where, sluice::EndpointKind::kTcp, target, 3))
        RETURN_THROWS();
    sluice::EndpointSpec& endpoint = setup->config.endpoints.back();
    endpoint.limits = own.limits;
    endpoint.dispatch = sluice::Dispatch::kSticky;
    endpoint.framing = own.framing;
    endpoint.slow_client = policy;
}

ZEND_METHOD(Sluice_Server, udp) {
    ListenerArgument where;
    zval* target;
    zend_object* limits = nullptr;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_STR(where.address)
    Z_PARAM_ZVAL(target)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(limits, udp_limits_class)
    ZEND_PARSE_PARAMETERS_END();
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !add_listener(*setup, where, sluice::EndpointKind::kUdp, target, 2)) RETURN_THROWS();
    sluice::EndpointSpec& endpoint = setup->config.endpoints.back();
    endpoint.limits = setup->limits;
    override_limits(endpoint.limits, limits);
}

ZEND_METHOD(Sluice_Server, onWorkerStart) {
    add_callback(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ServerSetup::on_worker_start);
}

ZEND_METHOD(Sluice_Server, recycle) {
    zend_long requests = 0, memory_bytes = 0;
    double seconds = 0;
    bool any_requests = true, any_seconds = true, any_memory = true;
    ZEND_PARSE_PARAMETERS_START(0, 3)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG_OR_NULL(requests, any_requests)
    Z_PARAM_DOUBLE_OR_NULL(seconds, any_seconds)
    Z_PARAM_LONG_OR_NULL(memory_bytes, any_memory)
    ZEND_PARSE_PARAMETERS_END();

    constexpr zend_long kMostRequests = 1'000'000'000'000'000;
    constexpr zend_long kLeastBytes = 1 << 20, kMostBytes = zend_long{1} << 40;
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    if (!any_requests && (requests < 1 || requests > kMostRequests)) {
        zend_argument_value_error(1, "must be between 1 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                                  kMostRequests, requests);
        RETURN_THROWS();
    }
    if (!any_seconds && !check_seconds(seconds, 1, 2)) RETURN_THROWS();
    if (!any_memory && (memory_bytes < kLeastBytes || memory_bytes > kMostBytes)) {
        zend_argument_value_error(
            3, "must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
            kLeastBytes, kMostBytes, memory_bytes);
        RETURN_THROWS();
    }
    setup->lifetime = {static_cast<uint64_t>(requests), static_cast<uint64_t>(seconds * 1000),
                       static_cast<uint64_t>(memory_bytes)};
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Sluice_Server, runAs) {
    zend_string *user, *group = nullptr;
    zend_long mask = 0;
    bool any_mask = true;
    ZEND_PARSE_PARAMETERS_START(1, 3)
    Z_PARAM_PATH_STR(user)
    Z_PARAM_OPTIONAL
    Z_PARAM_PATH_STR_OR_NULL(group)
    Z_PARAM_LONG_OR_NULL(mask, any_mask)
    ZEND_PARSE_PARAMETERS_END();

    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !check_identity(user, group, setup->config.operations.identity)) RETURN_THROWS();
    if (!any_mask && (mask < 0 || mask > 0777)) {
        char given[32];
        snprintf(given, sizeof given, mask < 0 ? "%ld" : "0%lo", static_cast<long>(mask));
        zend_argument_value_error(3, "must be between 0 and 0777, %s given", given);
        RETURN_THROWS();
    }
    setup->config.operations.umask = any_mask ? -1 : static_cast<int>(mask);
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Sluice_Server, log) {
    zend_object *format = nullptr, *least = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 2)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS(format, server_log_format_class)
    Z_PARAM_OBJ_OF_CLASS(least, log_level_class)
    ZEND_PARSE_PARAMETERS_END();

    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    setup->config.operations.logs_json = format && is_case(format, "Json");
    setup->config.operations.least_level = least ? log_level_of(least) : uint8_t{0};
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Sluice_Server, crashReports) {
    zend_string* folder;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_PATH_STR(folder)
    ZEND_PARSE_PARAMETERS_END();

    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !check_folder(folder, 1)) RETURN_THROWS();
    setup->config.operations.crash_folder = view(folder);
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Sluice_Server, onWorkerStop) {
    add_callback(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ServerSetup::on_worker_stop);
}

ZEND_METHOD(Sluice_Server, watch) {
    HashTable* paths;
    HashTable* names = nullptr;
    double quiet_s = 0.1;
    ZEND_PARSE_PARAMETERS_START(1, 3)
    Z_PARAM_ARRAY_HT(paths)
    Z_PARAM_OPTIONAL
    Z_PARAM_ARRAY_HT(names)
    Z_PARAM_DOUBLE(quiet_s)
    ZEND_PARSE_PARAMETERS_END();
    ServerSetup* const setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !check_paths(paths, 1) || (names && !check_patterns(names, 2))) RETURN_THROWS();
    if (!(quiet_s >= 0.01 && quiet_s <= 60)) {
        zend_argument_value_error(3, "must be between 0.01 and 60 seconds, %.*H given", -1, quiet_s);
        RETURN_THROWS();
    }
    sluice::Watching& watching = setup->config.watching;
    watching.paths = strings_of(paths);
    // The script may change its directory before it calls run().
    char folder[PATH_MAX];
    const char* const here = getcwd(folder, sizeof folder);
    for (std::string& path : watching.paths)
        if (path.front() != '/' && here) path = std::string(here) + "/" + path;
    watching.names = names ? strings_of(names) : std::vector<std::string>{"*.php"};
    watching.quiet_ms = static_cast<uint32_t>(std::lround(quiet_s * 1000));
    RETURN_COPY(ZEND_THIS);
}

ZEND_METHOD(Sluice_Server, canary) {
    double seconds = 10, share = 0.05;
    ZEND_PARSE_PARAMETERS_START(0, 2)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE(seconds)
    Z_PARAM_DOUBLE(share)
    ZEND_PARSE_PARAMETERS_END();
    ServerSetup* const setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    if (!(seconds >= 0.1 && seconds <= 3600)) {
        zend_argument_value_error(1, "must be between 0.1 and 3600 seconds, %.*H given", -1, seconds);
        RETURN_THROWS();
    }
    if (!(share >= 0.001 && share <= 0.5)) {
        zend_argument_value_error(2, "must be between 0.001 and 0.5, %.*H given", -1, share);
        RETURN_THROWS();
    }
    if (setup->config.mode == sluice::Mode::kBase) {
        throw_server_exception(
            "Server::canary() is for process mode: in base mode the kernel chooses the worker of each "
            "connection");
        RETURN_THROWS();
    }
    setup->config.canary = {static_cast<uint32_t>(std::lround(seconds * 1000)), share};
    RETURN_COPY(ZEND_THIS);
}

ZEND_METHOD(Sluice_Server, admin) {
    zend_string* address;
    zend_string* token = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_PATH_STR(address)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR_OR_NULL(token)
    ZEND_PARSE_PARAMETERS_END();
    ServerSetup* const setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !check_admin(address, token)) RETURN_THROWS();
    if (setup->config.admin.address.empty()) {
        for (const char* metrics : {"Sluice\\Internal\\OpcacheMetrics", "Sluice\\Internal\\PoolMetrics"}) {
            zval object;
            if (!new_library_object(&object, metrics)) RETURN_THROWS();
            setup->own_starts.push_back(callback_to(Z_OBJ(object), "begin"));
            setup->own_ends.push_back(callback_to(Z_OBJ(object), "end"));
            zval_ptr_dtor(&object);
        }
    }
    setup->config.admin = {std::string(view(address)), token ? std::string(view(token)) : std::string()};
    RETURN_COPY(ZEND_THIS);
}

ZEND_METHOD(Sluice_Server, tracing) {
    TracingArguments arguments;
    bool has_no_ratio = true;
    ZEND_PARSE_PARAMETERS_START(0, 4)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR_OR_NULL(arguments.endpoint)
    Z_PARAM_DOUBLE_OR_NULL(arguments.ratio, has_no_ratio)
    Z_PARAM_STR_OR_NULL(arguments.service)
    Z_PARAM_ARRAY_HT(arguments.headers)
    ZEND_PARSE_PARAMETERS_END();
    arguments.has_ratio = !has_no_ratio;
    ServerSetup* const setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !read_tracing(arguments, setup->config.tracing)) RETURN_THROWS();
    RETURN_COPY(ZEND_THIS);
}

ZEND_METHOD(Sluice_Server, onError) {
    add_callback(INTERNAL_FUNCTION_PARAM_PASSTHRU, &Observers::on_error);
}

ZEND_METHOD(Sluice_Server, onRequest) {
    add_callback(INTERNAL_FUNCTION_PARAM_PASSTHRU, &Observers::on_request);
}

ZEND_METHOD(Sluice_Server, onResponse) {
    add_callback(INTERNAL_FUNCTION_PARAM_PASSTHRU, &Observers::on_response);
}

ZEND_METHOD(Sluice_Server, run) {
    ZEND_PARSE_PARAMETERS_NONE();
    ServerSetup& setup = *embedded<ServerObject>(ZEND_THIS)->setup;
    if (!check_run(setup)) RETURN_THROWS();
    if (!add_cron_service(setup)) RETURN_THROWS();
    setup.ran = true;
    setup.config.script = SG(request_info).path_translated ? SG(request_info).path_translated : "php";
    // Each worker would write the buffered output again, and pages would end in the script's buffers.
    php_output_end_all();
    if (EG(exception)) RETURN_THROWS();
    end_rewriting_of_script();

    look_for_superglobals(setup);
    if (setup.leak_detector) watch_compiled_code();
    const Sentence error = launch_server(setup.config);
    if (!error.empty()) {
        throw_server_exception(error.text());
        RETURN_THROWS();
    }
    if (Worker* worker = current_worker(); worker && worker->identity.is_script_process)
        serve_scripts(*worker);
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

ZEND_METHOD(Sluice_Server, listSubscribers) {
    zend_string* topic;
    zend_long limit = 1000, after = 0;
    double timeout_seconds = 5;
    ZEND_PARSE_PARAMETERS_START(1, 4)
    Z_PARAM_STR(topic)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(limit)
    Z_PARAM_LONG(after)
    Z_PARAM_DOUBLE(timeout_seconds)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_topic(topic, 1)) RETURN_THROWS();
    if (limit < 1 || limit > kMostListed) {
        zend_argument_value_error(2, "must be between 1 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                                  kMostListed, limit);
        RETURN_THROWS();
    }
    if (after < 0) {
        zend_argument_value_error(3, "must not be negative, " ZEND_LONG_FMT " given", after);
        RETURN_THROWS();
    }
    if (!check_seconds(timeout_seconds, 0, 4)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    zval ids;
    array_init(&ids);
    array_init(return_value);
    if (ask_subscriber_ids(*worker, view(topic), static_cast<uint16_t>(limit),
                           static_cast<sluice::ConnectionId>(after), timeout_seconds, &ids)) {
        zend_hash_sort(Z_ARRVAL(ids), by_number, true);
        zval* id;
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL(ids), id) {
            if (zend_hash_num_elements(Z_ARRVAL_P(return_value)) == static_cast<uint32_t>(limit)) break;
            add_index_str(return_value, static_cast<zend_ulong>(Z_LVAL_P(id)),
                          attached_data(*worker, static_cast<sluice::ConnectionId>(Z_LVAL_P(id))));
        }
        ZEND_HASH_FOREACH_END();
    }
    zval_ptr_dtor(&ids);
    if (EG(exception)) RETURN_THROWS();
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
