// Registers the extension with PHP.

#include "php/server/module.h"

#include <cstdio>
#include <ext/spl/spl_exceptions.h>
#include <ext/standard/info.h>
#include <unistd.h>

#include "php/coroutine/cancel_injection.h"
#include "php/coroutine/cancellation.h"
#include "php/coroutine/concurrent_use.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/current_scope.h"
#include "php/coroutine/deadlines.h"
#include "php/coroutine/held_fiber.h"
#include "php/coroutine/isolation.h"
#include "php/coroutine/no_waiting.h"
#include "php/coroutine/preemption.h"
#include "php/coroutine/refused_calls.h"
#include "php/coroutine/scheduling.h"
#include "php/coroutine/session_variable.h"
#include "php/coroutine/signals.h"
#include "php/coroutine/soap_aside.h"
#include "php/coroutine/stalls.h"
#include "php/hooks/connection_guards.h"
#include "php/hooks/hook_groups.h"
#include "php/hooks/hooks.h"
#include "php/hooks/hooks_of_time.h"
#include "php/hooks/open_transactions.h"
#include "php/http/classic_declarations.h"
#include "php/http/classic_request.h"
#include "php/http/document_root_class.h"
#include "php/http/event_stream_class.h"
#include "php/http/files_class.h"
#include "php/http/http_dispatch.h"
#include "php/http/request_class.h"
#include "php/http/response_class.h"
#include "php/http/response_encoding.h"
#include "php/http/script_class.h"
#include "php/http/trace_class.h"
#include "php/http/uploaded_file_class.h"
#include "php/leaks/process_state_class.h"
#include "php/library/library.h"
#include "php/options/access_log_class.h"
#include "php/options/compression_class.h"
#include "php/options/error_pages_class.h"
#include "php/options/heartbeat_class.h"
#include "php/options/http_compression_class.h"
#include "php/options/http_options_class.h"
#include "php/options/limits_class.h"
#include "php/options/listener_class.h"
#include "php/options/origins_class.h"
#include "php/options/processes_class.h"
#include "php/options/protocol_limits_class.h"
#include "php/options/proxies_class.h"
#include "php/options/server_enums.h"
#include "php/options/tls_class.h"
#include "php/options/websocket_options_class.h"
#include "php/profile/profiler.h"
#include "php/server/forks.h"
#include "php/server/server_class.h"
#include "php/server/site_class.h"
#include "php/server/stats_class.h"
#include "php/server/swoole_module.h"
#include "php/shared/counter_class.h"
#include "php/shared/metric_classes.h"
#include "php/shared/process_identity_class.h"
#include "php/shared/table_class.h"
#include "php/sockets/framing_class.h"
#include "php/sockets/tcp_connection_class.h"
#include "php/sockets/tcp_dispatch.h"
#include "php/sockets/udp_dispatch.h"
#include "php/sockets/udp_peer_class.h"
#include "php/tasks/channel_class.h"
#include "php/tasks/context_value_class.h"
#include "php/tasks/mutex_class.h"
#include "php/tasks/outcome_class.h"
#include "php/tasks/script_loop.h"
#include "php/tasks/semaphore_class.h"
#include "php/tasks/task_class.h"
#include "php/tasks/task_group_class.h"
#include "php/tasks/wait_group_class.h"
#include "php/tasks/waiter_class.h"
#include "php/websocket/handshake_class.h"
#include "php/websocket/websocket_connection_class.h"
#include "php/websocket/websocket_dispatch.h"
#include "php/websocket/websocket_endpoint_class.h"
#include "php/worker/delivery.h"
#include "php/worker/handlers.h"
#include "php/worker/misplaced_output.h"
#include "php/worker/misread_superglobals.h"
#include "php/worker/php_messages.h"
#include "php/worker/pool_process_class.h"
#include "php/worker/readiness_class.h"
#include "php/worker/service_class.h"
#include "php/worker/timer_class.h"
#include "php/worker/worker.h"
#include "php/worker/worker_class.h"
#include "php/zend/errors.h"
#include "server/master/boot.h"

// Generated from the stubs; they refer to each other's classes by name only.
// clang-format off
#include "php/stubs/coroutine_arginfo.h"
#include "php/stubs/coroutine_sync_arginfo.h"
#include "php/stubs/http_arginfo.h"
#include "php/stubs/http_options_arginfo.h"
#include "php/stubs/library_arginfo.h"
#include "php/stubs/limits_arginfo.h"
#include "php/stubs/listener_arginfo.h"
#include "php/stubs/server_arginfo.h"
#include "php/stubs/metrics_arginfo.h"
#include "php/stubs/shared_arginfo.h"
#include "php/stubs/tcp_arginfo.h"
#include "php/stubs/timer_arginfo.h"
#include "php/stubs/proxies_arginfo.h"
#include "php/stubs/tls_arginfo.h"
#include "php/stubs/udp_arginfo.h"
#include "php/stubs/websocket_arginfo.h"
// clang-format on

#ifdef ZTS
#error "Sluice needs a PHP without thread safety (NTS)"
#endif

// clang-format off
PHP_INI_BEGIN()
    PHP_INI_ENTRY("sluice.coroutines", "1", PHP_INI_SYSTEM, nullptr)
    PHP_INI_ENTRY("sluice.cancel_at", "0", PHP_INI_ALL, sluice::php::set_cancel_at)
    PHP_INI_ENTRY("sluice.hooks", "all", PHP_INI_SYSTEM, nullptr)
    PHP_INI_ENTRY("sluice.swoole", "", PHP_INI_SYSTEM, nullptr)
PHP_INI_END()
// clang-format on

static PHP_MINIT_FUNCTION(sluice) {
    using namespace sluice::php;
    (void)type;
    REGISTER_INI_ENTRIES();
    stand_in_for_swoole(INI_STR("sluice.swoole"));
    check_hook_groups();
    // Before the script can start a process that would inherit this process's descriptors.
    if (sluice::adopt_boot_environment()) sluice::php::log_php_messages();
    mode_class = register_class_Sluice_Mode();
    delivery_class = register_class_Sluice_Delivery();
    dispatch_class = register_class_Sluice_Dispatch();
    byte_order_class = register_class_Sluice_Tcp_ByteOrder();
    tls_version_class = register_class_Sluice_TlsVersion();
    same_site_class = register_class_Sluice_Http_SameSite();
    proxy_fields_class = register_class_Sluice_ProxyFields();
    slow_client_class = register_class_Sluice_SlowClient();
    http_encoding_class = register_class_Sluice_Http_Encoding();
    log_format_class = register_class_Sluice_Http_LogFormat();
    bodies_class = register_class_Sluice_Http_Bodies();
    versions_class = register_class_Sluice_Http_Versions();
    server_log_format_class = register_class_Sluice_LogFormat();
    log_level_class = register_class_Sluice_LogLevel();
    error_format_class = register_class_Sluice_Http_ErrorFormat();
    // A script's own enums are, PHP's registration of internal ones forgets it.
    for (zend_class_entry* enumeration :
         {mode_class, delivery_class, dispatch_class, byte_order_class, tls_version_class, same_site_class,
          proxy_fields_class, slow_client_class, http_encoding_class, log_format_class, bodies_class,
          versions_class, error_format_class, server_log_format_class, log_level_class})
        enumeration->ce_flags |= ZEND_ACC_FINAL;
    server_exception_class = register_class_Sluice_ServerException(spl_ce_RuntimeException);
    bad_request_class = register_class_Sluice_Http_BadRequest(spl_ce_RuntimeException);
    http_handler_class = register_class_Sluice_Http_Handler();
    websocket_handler_class = register_class_Sluice_WebSocket_Handler();
    pong_handler_class = register_class_Sluice_WebSocket_PongHandler(websocket_handler_class);
    tcp_handler_class = register_class_Sluice_Tcp_Handler();
    udp_handler_class = register_class_Sluice_Udp_Handler();
    init_protocol_limits_class(register_class_Sluice_Http_Limits(), sluice::LimitGroup::kHttp);
    init_protocol_limits_class(register_class_Sluice_Http2_Limits(), sluice::LimitGroup::kHttp2);
    init_protocol_limits_class(register_class_Sluice_WebSocket_Limits(), sluice::LimitGroup::kWebSocket);
    init_protocol_limits_class(register_class_Sluice_Tcp_Limits(), sluice::LimitGroup::kTcp);
    init_protocol_limits_class(register_class_Sluice_Udp_Limits(), sluice::LimitGroup::kUdp);
    init_limits_class(register_class_Sluice_Limits());
    init_processes_class(register_class_Sluice_Http_Processes());
    init_http_options_class(register_class_Sluice_Http_Options());
    init_worker_class(register_class_Sluice_Worker());
    init_service_class(register_class_Sluice_Service());
    init_stats_class(register_class_Sluice_Stats());
    init_worker_stats_class(register_class_Sluice_WorkerStats());
    init_tls_class(register_class_Sluice_Tls());
    init_proxies_class(register_class_Sluice_TrustedProxies());
    init_listener_class(register_class_Sluice_Listener());
    init_server_class(register_class_Sluice_Server());
    init_site_class(register_class_Sluice_Http_Site());
    init_request_class(register_class_Sluice_Http_Request());
    init_trace_class(register_class_Sluice_Http_Trace());
    init_uploaded_file_class(register_class_Sluice_Http_UploadedFile());
    init_response_class(register_class_Sluice_Http_Response());
    init_files_class(register_class_Sluice_Http_Files(http_handler_class));
    init_document_root_class(register_class_Sluice_Http_DocumentRoot(http_handler_class));
    init_script_class(register_class_Sluice_Http_Script(http_handler_class));
    init_event_stream_class(register_class_Sluice_Http_EventStream());
    init_http_compression_class(register_class_Sluice_Http_Compression());
    init_access_log_class(register_class_Sluice_Http_AccessLog());
    init_error_pages_class(register_class_Sluice_Http_ErrorPages());
    init_websocket_connection_class(register_class_Sluice_WebSocket_Connection());
    init_compression_class(register_class_Sluice_WebSocket_Compression());
    init_heartbeat_class(register_class_Sluice_WebSocket_Heartbeat());
    init_origins_class(register_class_Sluice_WebSocket_Origins());
    init_websocket_options_class(register_class_Sluice_WebSocket_Options());
    init_handshake_class(register_class_Sluice_WebSocket_Handshake());
    init_framing_class(register_class_Sluice_Tcp_Framing());
    init_tcp_connection_class(register_class_Sluice_Tcp_Connection());
    init_udp_peer_class(register_class_Sluice_Udp_Peer());
    init_timer_class(register_class_Sluice_Timer());
    init_task_class(register_class_Sluice_Coroutine_Task());
    init_outcome_class(register_class_Sluice_Coroutine_Outcome());
    init_websocket_endpoint_class(register_class_Sluice_Internal_WebSocketEndpoint());
    init_waiter_class(register_class_Sluice_Internal_Waiter());
    init_task_group_class(register_class_Sluice_Coroutine_TaskGroup());
    init_channel_class(register_class_Sluice_Coroutine_Channel(zend_ce_aggregate, zend_ce_countable));
    init_mutex_class(register_class_Sluice_Coroutine_Mutex());
    init_semaphore_class(register_class_Sluice_Coroutine_Semaphore());
    init_wait_group_class(register_class_Sluice_Coroutine_WaitGroup(zend_ce_countable));
    init_context_value_class(register_class_Sluice_Coroutine_ContextValue());
    closed_exception_class = register_class_Sluice_Coroutine_ClosedException(spl_ce_RuntimeException);
    cancelled_error_class = register_class_Sluice_Coroutine_CancelledError(zend_ce_error);
    timeout_exception_class = register_class_Sluice_Coroutine_TimeoutException(spl_ce_RuntimeException);
    concurrent_use_exception_class =
        register_class_Sluice_Coroutine_ConcurrentUseException(spl_ce_LogicException);
    deadlock_exception_class = register_class_Sluice_Coroutine_DeadlockException(spl_ce_LogicException);
    limit_exception_class = register_class_Sluice_Coroutine_LimitException(spl_ce_RuntimeException);
    stats_class = register_class_Sluice_Coroutine_Stats();
    init_table_class(register_class_Sluice_Shared_Table(zend_ce_countable));
    init_table_stats_class(register_class_Sluice_Shared_TableStats());
    full_exception_class = register_class_Sluice_Shared_FullException(spl_ce_RuntimeException);
    init_process_state_class(register_class_Sluice_Internal_ProcessState());
    init_process_identity_class(register_class_Sluice_Internal_ProcessIdentity());
    init_pool_process_class(register_class_Sluice_Internal_PoolProcess());
    register_class_Sluice_Internal_Diagnostic();
    init_readiness_class(register_class_Sluice_Internal_Readiness());
    init_counter_class(register_class_Sluice_Shared_Counter());
    init_metric_class(register_class_Sluice_Metrics_Counter());
    init_metric_class(register_class_Sluice_Metrics_Gauge());
    init_metric_class(register_class_Sluice_Metrics_Histogram());
    offer_library();
    init_http_dispatch();
    init_websocket_dispatch();
    init_tcp_dispatch();
    init_udp_dispatch();
    hear_interrupts();
    let_profiler_interrupt();
    let_slices_interrupt();
    notice_class_linking();
    watch_superglobals();
    keep_compiled_code_apart();
    when_scheduling_begins(install_hooks);
    return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(sluice) {
    (void)type;
#if !defined(__SANITIZE_ADDRESS__)
    // To unload PHP and its extensions takes a process longer than most requests; the kernel does it at once.
    if (sluice::php::has_handled_its_request()) {
        std::fflush(nullptr);
        _exit(EG(exit_status));
    }
#endif
    sluice::php::remove_hooks();
    sluice::php::remove_signals();
    sluice::php::release_guards();
    sluice::php::release_usleep();
    sluice::php::release_calls_without_waiting();
    sluice::php::release_soap();
    sluice::php::release_refused_calls();
    sluice::php::release_forks();
    sluice::php::release_classic();
    sluice::php::release_fatal_errors();
    sluice::php::release_misplaced_output();
    sluice::php::release_php_messages();
    sluice::php::end_slices();
    sluice::php::end_interrupts_by_profiler();
    sluice::php::ignore_interrupts();
    sluice::php::withdraw_library();
    UNREGISTER_INI_ENTRIES();
    return SUCCESS;
}

static PHP_RINIT_FUNCTION(sluice) {
    (void)type;
    (void)module_number;
    if (sluice::php::serves_scripts()) return SUCCESS;
    sluice::php::note_handled_signals();
    sluice::php::guard_connections();
    sluice::php::lengthen_usleep();
    sluice::php::watch_soap();
    sluice::php::guard_calls_without_waiting();
    sluice::php::refuse_calls_in_coroutines();
    sluice::php::guard_forks();
    sluice::php::guard_misplaced_output();
    sluice::php::watch_fatal_errors();
    sluice::php::prepare_classic();
    return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(sluice) {
    (void)type;
    (void)module_number;
    sluice::php::end_profiling();
    sluice::php::preempt_after(0, {});
    sluice::php::end_coroutines();
    sluice::php::forget_transactions();
    sluice::php::end_session_variable();
    sluice::php::forget_superglobals();
    sluice::php::forget_process_scope();
    sluice::php::forget_isolations();
    sluice::php::release_all_handlers();
    sluice::php::release_worker_object();
    sluice::php::release_service_object();
    sluice::php::forget_delivery_cases();
    return SUCCESS;
}

/// The last step of a request: all of the script's variables are gone.
static ZEND_MODULE_POST_ZEND_DEACTIVATE_D(sluice) {
    sluice::php::release_encoders();
    sluice::php::leave_worker();
    return SUCCESS;
}

static PHP_MINFO_FUNCTION(sluice) {
    php_info_print_table_start();
    php_info_print_table_row(2, "Sluice", "enabled");
    php_info_print_table_row(2, "Version", SLUICE_VERSION);
    php_info_print_table_end();
    DISPLAY_INI_ENTRIES();
}

zend_module_entry sluice_module_entry = {
    STANDARD_MODULE_HEADER,
    "sluice",
    ext_functions,
    PHP_MINIT(sluice),
    PHP_MSHUTDOWN(sluice),
    PHP_RINIT(sluice),
    PHP_RSHUTDOWN(sluice),
    PHP_MINFO(sluice),
    SLUICE_VERSION,
    NO_MODULE_GLOBALS,
    ZEND_MODULE_POST_ZEND_DEACTIVATE_N(sluice),
    STANDARD_MODULE_PROPERTIES_EX,
};

extern "C" {
ZEND_GET_MODULE(sluice)
}
