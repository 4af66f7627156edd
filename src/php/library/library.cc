#include "php/library/library.h"

#include <string_view>

#include "php/zend/backtraces.h"

// Every file of src/php/library: a symbol for it, and its path there. Both Makefiles have this object made
// again when one of them changes.
#define SLUICE_LIBRARY(FILE)                                    \
    FILE(cron_clock, "CronClock.php")                           \
    FILE(cron_expression, "CronExpression.php")                 \
    FILE(http_client, "Http/Client.php")                        \
    FILE(http_exceptions, "Http/ClientException.php")           \
    FILE(http_form, "Http/ClientForm.php")                      \
    FILE(http_form_file, "Http/FormFile.php")                   \
    FILE(http_request, "Http/ClientRequest.php")                \
    FILE(http_response, "Http/ClientResponse.php")              \
    FILE(http_transfer, "Http/ClientTransfer.php")              \
    FILE(leak, "Leak.php")                                      \
    FILE(leak_detector, "LeakDetector.php")                     \
    FILE(lease, "Lease.php")                                    \
    FILE(opcache_metrics, "OpcacheMetrics.php")                 \
    FILE(pool, "Pool.php")                                      \
    FILE(pool_metrics, "PoolMetrics.php")                       \
    FILE(pool_queue, "PoolQueue.php")                           \
    FILE(pool_recipes, "PoolRecipes.php")                       \
    FILE(readiness_check, "ReadinessCheck.php")                 \
    FILE(shared_held_lock, "Shared/HeldLock.php")               \
    FILE(shared_lock, "Shared/Lock.php")                        \
    FILE(shared_rate_decision, "Shared/RateDecision.php")       \
    FILE(shared_rate_limiter, "Shared/RateLimiter.php")         \
    FILE(shared_read_write_lock, "Shared/ReadWriteLock.php")    \
    FILE(task_exceptions, "TaskExceptions.php")                 \
    FILE(task_link, "TaskLink.php")                             \
    FILE(task_pool, "TaskPool.php")                             \
    FILE(task_queue, "TaskQueue.php")                           \
    FILE(task_runner, "TaskRunner.php")                         \
    FILE(websocket_client, "WebSocket/Client.php")              \
    FILE(websocket_exceptions, "WebSocket/ClientException.php") \
    FILE(websocket_message, "WebSocket/Message.php")

// clang-format off
#define SLUICE_EMBED(symbol, path)                                                     \
    asm(".pushsection .rodata\n"                                                       \
        ".balign 8\n"                                                                  \
        "sluice_library_" #symbol ":\n"                                                \
        ".incbin \"php/library/" path "\"\n"                                           \
        "sluice_library_" #symbol "_end:\n"                                            \
        ".popsection\n"                                                                \
        ".globl sluice_library_" #symbol ", sluice_library_" #symbol "_end\n"          \
        ".hidden sluice_library_" #symbol ", sluice_library_" #symbol "_end\n");       \
    extern "C" const char sluice_library_##symbol[] __attribute__((visibility("hidden"))); \
    extern "C" const char sluice_library_##symbol##_end[] __attribute__((visibility("hidden")));
// clang-format on

SLUICE_LIBRARY(SLUICE_EMBED)

namespace sluice::php {

namespace {

struct File {
    const char* name;
    const char* begin;
    const char* end;
};

#define SLUICE_ENTRY(symbol, path) \
    {SLUICE_LIBRARY_FOLDER path, sluice_library_##symbol, sluice_library_##symbol##_end},
const File kFiles[] = {SLUICE_LIBRARY(SLUICE_ENTRY)};
#undef SLUICE_ENTRY

enum Place {
#define SLUICE_PLACE(symbol, path) k_##symbol,
    SLUICE_LIBRARY(SLUICE_PLACE)
#undef SLUICE_PLACE
};

struct Class {
    std::string_view name;  ///< in lower case
    Place file;
};

const Class kClasses[] = {
    {"sluice\\cronclock", k_cron_clock},
    {"sluice\\cronexpression", k_cron_expression},
    {"sluice\\http\\client", k_http_client},
    {"sluice\\http\\clientarrival", k_http_transfer},
    {"sluice\\http\\clientexception", k_http_exceptions},
    {"sluice\\http\\clientform", k_http_form},
    {"sluice\\http\\clientline", k_http_transfer},
    {"sluice\\http\\clientrequest", k_http_request},
    {"sluice\\http\\clientresponse", k_http_response},
    {"sluice\\http\\clienttransfer", k_http_transfer},
    {"sluice\\http\\connectexception", k_http_exceptions},
    {"sluice\\http\\formfile", k_http_form_file},
    {"sluice\\http\\protocolexception", k_http_exceptions},
    {"sluice\\http\\timeoutexception", k_http_exceptions},
    {"sluice\\http\\tlsexception", k_http_exceptions},
    {"sluice\\http\\toolargeexception", k_http_exceptions},
    {"sluice\\internal\\leakdetector", k_leak_detector},
    {"sluice\\internal\\opcachemetrics", k_opcache_metrics},
    {"sluice\\internal\\poolmetrics", k_pool_metrics},
    {"sluice\\internal\\readinesscheck", k_readiness_check},
    {"sluice\\leak", k_leak},
    {"sluice\\leakkind", k_leak},
    {"sluice\\lease", k_lease},
    {"sluice\\pool", k_pool},
    {"sluice\\poolentry", k_pool_queue},
    {"sluice\\poolexception", k_pool},
    {"sluice\\poolqueue", k_pool_queue},
    {"sluice\\poolrecipes", k_pool_recipes},
    {"sluice\\poolstats", k_pool},
    {"sluice\\poolticket", k_pool_queue},
    {"sluice\\shared\\heldlock", k_shared_held_lock},
    {"sluice\\shared\\lock", k_shared_lock},
    {"sluice\\shared\\ratedecision", k_shared_rate_decision},
    {"sluice\\shared\\ratelimiter", k_shared_rate_limiter},
    {"sluice\\shared\\readwritelock", k_shared_read_write_lock},
    {"sluice\\taskcall", k_task_pool},
    {"sluice\\taskexception", k_task_exceptions},
    {"sluice\\taskfailedexception", k_task_exceptions},
    {"sluice\\taskhand", k_task_queue},
    {"sluice\\taskjob", k_task_queue},
    {"sluice\\tasklink", k_task_link},
    {"sluice\\tasklostexception", k_task_exceptions},
    {"sluice\\taskpool", k_task_pool},
    {"sluice\\taskpoolmetrics", k_task_queue},
    {"sluice\\taskpoolstats", k_task_pool},
    {"sluice\\taskqueue", k_task_queue},
    {"sluice\\taskrefusedexception", k_task_exceptions},
    {"sluice\\taskrunner", k_task_runner},
    {"sluice\\websocket\\client", k_websocket_client},
    {"sluice\\websocket\\clientexception", k_websocket_exceptions},
    {"sluice\\websocket\\closedexception", k_websocket_exceptions},
    {"sluice\\websocket\\connectexception", k_websocket_exceptions},
    {"sluice\\websocket\\handshakeexception", k_websocket_exceptions},
    {"sluice\\websocket\\message", k_websocket_message},
    {"sluice\\websocket\\timeoutexception", k_websocket_exceptions},
};

zend_class_entry* (*next_autoload)(zend_string*, zend_string*) = nullptr;

/// Runs the file like an include; an exception may be set afterwards.
void run_file(const File& file) {
    zend_string* source = zend_string_init(file.begin, static_cast<size_t>(file.end - file.begin), false);
    const uint32_t options = CG(compiler_options);
    CG(compiler_options) = ZEND_COMPILE_DEFAULT_FOR_EVAL;
    zend_op_array* code = zend_compile_string(source, file.name, ZEND_COMPILE_POSITION_AT_OPEN_TAG);
    CG(compiler_options) = options;
    zend_string_release(source);
    if (!code) return;
    zval returned;
    ZVAL_UNDEF(&returned);
    zend_execute(code, &returned);
    zval_ptr_dtor(&returned);
    zend_destroy_static_vars(code);
    destroy_op_array(code);
    efree_size(code, sizeof *code);
}

zend_class_entry* autoload(zend_string* name, zend_string* lower_name) {
    for (const Class& candidate : kClasses) {
        if (candidate.name != view(lower_name)) continue;
        run_file(kFiles[candidate.file]);
        return static_cast<zend_class_entry*>(zend_hash_find_ptr(EG(class_table), lower_name));
    }
    return next_autoload ? next_autoload(name, lower_name) : nullptr;
}

}  // namespace

void offer_library() {
    next_autoload = zend_autoload;
    zend_autoload = autoload;
}

void withdraw_library() {
    if (zend_autoload == autoload) zend_autoload = next_autoload;
}

}  // namespace sluice::php
