#include "php/hooks/connection_guards.h"

#include <string_view>
#include <unordered_map>

#include "php/coroutine/concurrent_use.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/no_waiting.h"
#include "php/hooks/connection_identity.h"
#include "php/hooks/open_transactions.h"
#include "php/hooks/persistent_connections.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

struct Guarded {
    const char* name;        ///< a class, or the prefix of functions, in lower case
    std::string_view quiet;  ///< its methods that send nothing, or end what others wait for
};

constexpr Guarded kClasses[] = {
    {"pdo",
     " __construct errorcode errorinfo getattribute setattribute quote intransaction lastinsertid "
     "getavailabledrivers "},
    {"pdostatement",
     " bindparam bindvalue bindcolumn columncount debugdumpparams errorcode errorinfo getattribute "
     "setattribute setfetchmode rowcount getcolumnmeta getiterator fetch fetchall fetchcolumn fetchobject "},
    {"redis",
     " __construct __destruct close isconnected gethost getport getdbnum gettimeout getreadtimeout "
     "getpersistentid getauth getlasterror clearlasterror getmode getoption setoption _serialize "
     "_unserialize _prefix _compress _uncompress _pack _unpack gettransferredbytes cleartransferredbytes "},
    {"rediscluster",
     " __construct close getmode getlasterror clearlasterror getoption setoption _masters _redir _serialize "
     "_unserialize _prefix _compress _uncompress _pack _unpack gettransferredbytes "
     "cleartransferredbytes "},
    {"memcached",
     " __construct quit getresultcode getresultmessage getoption setoption setoptions getserverlist "
     "getserverbykey addserver addservers resetserverlist ispersistent ispristine getlasterrorcode "
     "getlasterrorerrno getlasterrormessage getlastdisconnectedserver setsaslauthdata setencodingkey "},
    {"mysqli",
     " __construct init close debug escape_string real_escape_string character_set_name get_charset "
     "get_client_info get_server_info get_warnings get_connection_stats more_results options set_opt "
     "ssl_set stmt_init thread_safe poll "},
    {"mysqli_stmt",
     " __construct attr_get attr_set bind_param bind_result data_seek get_warnings more_results num_rows "
     "result_metadata fetch free_result close "},
    {"sqlite3",
     " __construct open close version lasterrorcode lastextendederrorcode lasterrormsg lastinsertrowid "
     "changes busytimeout loadextension escapestring createfunction createaggregate createcollation "
     "setauthorizer enableexceptions enableextendedresultcodes "},
    {"sqlite3stmt", " __construct bindparam bindvalue clear close getsql paramcount readonly reset busy "},
};

constexpr Guarded kFunctions[] = {
    {"mysqli_",
     " affected_rows character_set_name close connect connect_errno connect_error data_seek debug errno "
     "error error_list escape_string field_count field_seek field_tell get_charset get_client_info "
     "get_client_stats get_client_version get_connection_stats get_host_info get_links_stats "
     "get_proto_info get_server_info get_server_version get_warnings info init insert_id more_results "
     "options poll real_escape_string report set_opt sqlstate ssl_set stmt_affected_rows stmt_attr_get "
     "stmt_attr_set stmt_bind_param stmt_bind_result stmt_close stmt_data_seek stmt_errno stmt_error "
     "stmt_error_list stmt_fetch stmt_field_count stmt_free_result stmt_get_warnings stmt_init "
     "stmt_insert_id stmt_more_results stmt_num_rows stmt_param_count stmt_result_metadata stmt_sqlstate "
     "thread_id thread_safe warning_count "},
    {"pg_",
     " client_encoding close connection_busy connection_status consume_input dbname escape_bytea "
     "escape_identifier escape_literal escape_string flush host last_error last_notice options "
     "parameter_status pconnect port set_error_verbosity socket trace transaction_status tty untrace "
     "version "},
    // Not quiet are "close" and "free_result", which free what another call may be using.
    {"odbc_",
     " binmode close_all connect connection_string_is_quoted connection_string_quote "
     "connection_string_should_quote cursor error errormsg fetch_array fetch_into fetch_object fetch_row "
     "field_len field_name field_num field_precision field_scale field_type longreadlen "
     "num_fields num_rows pconnect result result_all setoption "},
    {"ftp_", " close get_option quit set_option "},
    // The handle is busy in these functions only; all others set options.
    {"curl_exec", ""},
    {"curl_multi_exec", ""},
    {"curl_multi_select", ""},
};

/// Classes of a function's first argument that are connections.
constexpr const char* kConnections[] = {"mysqli",           "mysqli_stmt",    "pgsql\\connection",
                                        "odbc\\connection", "odbc\\result",   "ftp\\connection",
                                        "curlhandle",       "curlmultihandle"};

struct Use {
    Coroutine* coroutine;
    const zend_execute_data* call;
};

bool guarding = false;
zend_class_entry* connection_classes[std::size(kConnections)];
/// Active calls by the identity of their connection (connection_of()).
std::unordered_map<const void*, Use> uses;

bool is_in(std::string_view words, std::string_view word) {
    for (size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1))
        if (words[at - 1] == ' ' && words[at + word.size()] == ' ') return true;
    return false;
}

const void* connection_in(zend_execute_data* execute_data) {
    if (Z_TYPE(execute_data->This) == IS_OBJECT) return connection_of(Z_OBJ(execute_data->This));
    if (ZEND_NUM_ARGS() == 0) return nullptr;
    zval* first = ZEND_CALL_ARG(execute_data, 1);
    ZVAL_DEREF(first);
    if (Z_TYPE_P(first) == IS_RESOURCE) return connection_of(*first);
    if (Z_TYPE_P(first) != IS_OBJECT) return nullptr;
    for (zend_class_entry* connection : connection_classes)
        if (connection && instanceof_function(Z_OBJCE_P(first), connection)) return connection_of(*first);
    return nullptr;
}

Coroutine* calling_coroutine() {
    return scheduler() && !(EG(flags) & EG_FLAGS_IN_SHUTDOWN) ? enclosing_coroutine() : nullptr;
}

void guarded(INTERNAL_FUNCTION_PARAMETERS) {
    const zif_handler original = original_of(execute_data->func);
    Coroutine* self = calling_coroutine();
    const void* connection = self ? connection_in(execute_data) : nullptr;
    if (!connection) {
        original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        if (UNEXPECTED(are_transactions_noted_outside()) && !self) {
            connection = connection_in(execute_data);
            if (connection) note_transaction(nullptr, connection, execute_data, *return_value);
        }
        return;
    }
    if (!await_roll_back(*self, connection)) return;
    const auto [place, is_first] = uses.try_emplace(connection, Use{self, execute_data});
    if (!is_first) {
        // A nested call of this coroutine, such as in a callback.
        if (place->second.coroutine == self) {
            original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        } else {
            throw_concurrent_use(place->second.call, execute_data);
        }
        return;
    }
    if (is_in_anothers_transaction(*self, connection, execute_data)) {
        uses.erase(connection);
        return;
    }
    original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    uses.erase(connection);
    note_transaction(self, connection, execute_data, *return_value);
}

/// A persistent connection goes on without the object, and so would its transaction and a call on it.
void close_pgsql(INTERNAL_FUNCTION_PARAMETERS) {
    const zval* const first = ZEND_NUM_ARGS() > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
    const zend_object* const object = first && Z_TYPE_P(first) == IS_OBJECT ? Z_OBJ_P(first) : nullptr;
    const void* const connection = object ? connection_in(execute_data) : nullptr;
    if (connection && connection != object) {
        Coroutine* const self = calling_coroutine();
        const auto [place, is_first] = uses.try_emplace(connection, Use{self, execute_data});
        if (!is_first && place->second.coroutine != self) {
            throw_concurrent_use(place->second.call, execute_data);
            return;
        }
        roll_back_before_close(object, connection);
        if (is_first) uses.erase(connection);
    }
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/// Frees all connections, and what calls are using.
void close_all_odbc(INTERNAL_FUNCTION_PARAMETERS) {
    const Coroutine* const self = calling_coroutine();
    for (const auto& [connection, use] : uses) {
        if (use.coroutine == self || !view(use.call->func->common.function_name).starts_with("odbc_"))
            continue;
        throw_concurrent_use(use.call, execute_data);
        return;
    }
    // It goes through PHP's list of resources, which another coroutine would change.
    call_without_waiting(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    forget_odbc_transactions();
}

template <typename F>
void for_each_guarded(F&& f) {
    zend_string* name;
    void* function;
    void* candidate;
    for (const Guarded& one : kClasses) {
        zend_class_entry* class_entry = find_internal_class(one.name);
        if (!class_entry) continue;
        // Internal subclasses, such as Pdo\Mysql, have copies of its methods.
        ZEND_HASH_FOREACH_PTR(CG(class_table), candidate) {
            auto* const extending = static_cast<zend_class_entry*>(candidate);
            if (extending->type != ZEND_INTERNAL_CLASS || !instanceof_function(extending, class_entry))
                continue;
            ZEND_HASH_FOREACH_STR_KEY_PTR(&extending->function_table, name, function) {
                if (!is_in(one.quiet, view(name))) f(static_cast<zend_function*>(function), guarded);
            }
            ZEND_HASH_FOREACH_END();
        }
        ZEND_HASH_FOREACH_END();
    }
    ZEND_HASH_FOREACH_STR_KEY_PTR(CG(function_table), name, function) {
        for (const Guarded& one : kFunctions) {
            const std::string_view text = view(name);
            if (!text.starts_with(one.name)) continue;
            if (one.quiet.empty() ? text == one.name : !is_in(one.quiet, text.substr(strlen(one.name))))
                f(static_cast<zend_function*>(function), guarded);
            break;
        }
    }
    ZEND_HASH_FOREACH_END();
    if (void* const close = zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("pg_close")))
        f(static_cast<zend_function*>(close), close_pgsql);
    if (void* const close = zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("odbc_close_all")))
        f(static_cast<zend_function*>(close), close_all_odbc);
}

}  // namespace

void guard_connections() {
    if (guarding) return;
    guarding = true;
    learn_connection_classes();
    Scheduler::when_jobs_end(roll_back_left);
    for (size_t index = 0; index < std::size(kConnections); ++index)
        connection_classes[index] = find_internal_class(kConnections[index]);
    for_each_guarded(wrap_function);
    refuse_persistence();
}

void release_guards() {
    if (!guarding) return;
    for_each_guarded(unwrap_function);
    release_persistence();
}

}  // namespace sluice::php
