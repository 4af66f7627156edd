#include "php/profile/wait_target.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "io/address.h"
#include "php/hooks/connection_identity.h"
#include "php/zend/backtraces.h"

namespace sluice::php {

namespace {

struct Kind {
    std::string_view name, kind;
};

/// By extension.
constexpr Kind kByModule[] = {
    {"mysqli", "mysql"},       {"mysqlnd", "mysql"},
    {"pdo_mysql", "mysql"},    {"pdo_pgsql", "pgsql"},
    {"pgsql", "pgsql"},        {"redis", "redis"},
    {"relay", "redis"},        {"curl", "curl"},
    {"odbc", "odbc"},          {"memcached", "memcached"},
    {"memcache", "memcached"}, {"mongodb", "mongodb"},
    {"amqp", "amqp"},          {"ldap", "ldap"},
    {"imap", "imap"},          {"ftp", "ftp"},
    {"soap", "http"},          {"ssh2", "ssh"},
    {"sockets", "socket"},     {"sysvsem", "lock"},
    {"pcntl", "process"},      {"sqlite3", "file"},
};

/// By function of the standard extension.
constexpr Kind kByFunction[] = {
    {"sleep", "sleep"},          {"usleep", "sleep"},
    {"time_nanosleep", "sleep"}, {"time_sleep_until", "sleep"},
    {"flock", "lock"},           {"proc_close", "process"},
    {"exec", "process"},         {"shell_exec", "process"},
    {"system", "process"},       {"passthru", "process"},
    {"popen", "process"},        {"pclose", "process"},
    {"proc_open", "process"},    {"gethostbyname", "dns"},
    {"gethostbynamel", "dns"},   {"dns_get_record", "dns"},
    {"dns_check_record", "dns"}, {"checkdnsrr", "dns"},
    {"dns_get_mx", "dns"},       {"getmxrr", "dns"},
    {"gethostbyaddr", "dns"},
};

/// By a part of the name of a class or function of Sluice.
constexpr Kind kBySluice[] = {
    {"Channel", "channel"}, {"Mutex", "lock"},     {"Semaphore", "lock"},      {"Lock", "lock"},
    {"Lease", "lock"},      {"sleep", "sleep"},    {"Pool", "pool"},           {"Task", "task"},
    {"WaitGroup", "task"},  {"Coroutine", "task"}, {"WebSocket", "websocket"}, {"Client", "http"},
    {"Http", "client"},     {"Timer", "timer"},
};

/// Functions whose first argument with a blank in it is SQL.
constexpr std::string_view kQueries[] = {
    "query",
    "exec",
    "prepare",
    "real_query",
    "multi_query",
    "execute_query",
    "mysqli_query",
    "mysqli_real_query",
    "mysqli_multi_query",
    "mysqli_prepare",
    "mysqli_execute_query",
    "pg_query",
    "pg_query_params",
    "pg_prepare",
    "pg_send_query",
    "pg_send_query_params",
    "pg_send_prepare",
    "odbc_exec",
    "odbc_prepare",
    "querysingle",
};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::any_of(names, [name](std::string_view one) {
        return one.size() == name.size() &&
               zend_binary_strcasecmp(one.data(), one.size(), name.data(), name.size()) == 0;
    });
}

std::string_view find(std::span<const Kind> kinds, std::string_view name) {
    for (const Kind& kind : kinds)
        if (kind.name == name) return kind.kind;
    return {};
}

std::string_view find_part(std::span<const Kind> kinds, std::string_view name) {
    for (const Kind& kind : kinds)
        if (name.find(kind.name) != std::string_view::npos) return kind.kind;
    return {};
}

std::string_view name_of(const zend_function* function) {
    return function->common.function_name ? view(function->common.function_name) : std::string_view();
}

std::string_view class_of(const zend_function* function) {
    return function->common.scope ? view(function->common.scope->name) : std::string_view();
}

std::string_view module_of(const zend_function* function) {
    return function->internal_function.module ? function->internal_function.module->name : "";
}

/// `fd`'s peer; empty when it is no socket with one.
std::string peer_of(int fd) {
    sockaddr_storage storage;
    socklen_t size = sizeof storage;
    if (fd < 0 || getpeername(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
    if (storage.ss_family == AF_UNIX) {
        const sockaddr_un* address = reinterpret_cast<const sockaddr_un*>(&storage);
        const size_t head = offsetof(sockaddr_un, sun_path);
        if (size <= head || address->sun_path[0] == '\0') return "unix";
        return "unix:" + std::string(address->sun_path, strnlen(address->sun_path, size - head));
    }
    return Address::from(storage).to_string();
}

std::string_view kind_of_descriptor(int fd) {
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0) return {};
    if (S_ISSOCK(about.st_mode)) return "socket";
    if (S_ISFIFO(about.st_mode)) return "process";
    return "file";
}

/// The property `name` of an object of ours, such as of a lock.
std::string name_of_object(const zend_execute_data* frame) {
    if (Z_TYPE(frame->This) != IS_OBJECT) return {};
    zend_object* const object = Z_OBJ(frame->This);
    const zend_property_info* info = static_cast<zend_property_info*>(
        zend_hash_str_find_ptr(&object->ce->properties_info, ZEND_STRL("name")));
    if (!info || (info->flags & ZEND_ACC_STATIC)) return {};
    const zval* const value = OBJ_PROP(object, info->offset);
    return Z_TYPE_P(value) == IS_STRING ? std::string(view(Z_STR_P(value)).substr(0, 100)) : std::string();
}

std::string query_of(const zend_execute_data* frame) {
    if (Z_TYPE(frame->This) == IS_OBJECT)
        if (const std::string_view sql = sql_of_statement(Z_OBJ(frame->This)); !sql.empty())
            return query_shape(sql);
    if (!is_one_of(kQueries, name_of(frame->func))) return {};
    for (uint32_t index = 1; index <= ZEND_CALL_NUM_ARGS(frame) && index <= 3; ++index) {
        const zval* const value = ZEND_CALL_ARG(frame, index);
        if (Z_TYPE_P(value) == IS_STRING && view(Z_STR_P(value)).find(' ') != std::string_view::npos)
            return query_shape(view(Z_STR_P(value)));
    }
    return {};
}

}  // namespace

WaitTarget::WaitTarget(const zend_execute_data* frame, int fd) : target(peer_of(fd)) {
    // The innermost call of C, and above it calls of Sluice's own PHP code, whose outermost says what it is.
    for (; frame && frame->func; frame = frame->prev_execute_data) {
        const zend_function* const function = frame->func;
        if (function->type != ZEND_INTERNAL_FUNCTION) {
            if (!ZEND_USER_CODE(function->type) ||
                !view(function->op_array.filename).starts_with(kLibraryFolder))
                break;
            if (const std::string_view found = find_part(kBySluice, class_of(function)); !found.empty())
                kind = found;
            if (target.empty()) target = name_of_object(frame);
            continue;
        }
        const std::string_view module = module_of(function);
        std::string_view found;
        if (module == "sluice") {
            found = find_part(kBySluice, function->common.scope ? class_of(function) : name_of(function));
        } else if (module == "PDO" && Z_TYPE(frame->This) == IS_OBJECT) {
            found = driver_of_pdo(Z_OBJ(frame->This));
        } else {
            found = module == "standard" ? find(kByFunction, name_of(function)) : find(kByModule, module);
        }
        if (kind.empty()) kind = found;
        if (query.empty()) query = query_of(frame);
    }
    if (kind.empty() && frame && frame->func && ZEND_USER_CODE(frame->func->type) && frame->opline &&
        (frame->opline->opcode == ZEND_FE_FETCH_R || frame->opline->opcode == ZEND_FE_RESET_R))
        kind = "channel";
    if (kind.empty()) kind = kind_of_descriptor(fd);
}

std::string query_shape(std::string_view sql) {
    std::string shape;
    bool after_word = false;
    for (size_t at = 0; at < sql.size() && shape.size() < kMostQueryBytes;) {
        const char byte = sql[at];
        if (byte == '\'' || byte == '"') {
            for (++at; at < sql.size() && sql[at] != byte; ++at)
                if (sql[at] == '\\') ++at;
            ++at;
            shape += '?';
            after_word = false;
        } else if (std::isdigit(static_cast<unsigned char>(byte)) && !after_word) {
            while (at < sql.size() && (std::isalnum(static_cast<unsigned char>(sql[at])) || sql[at] == '.'))
                ++at;
            shape += '?';
        } else if (std::isspace(static_cast<unsigned char>(byte))) {
            while (at < sql.size() && std::isspace(static_cast<unsigned char>(sql[at])))
                ++at;
            if (!shape.empty()) shape += ' ';
            after_word = false;
        } else {
            shape += byte;
            after_word = std::isalnum(static_cast<unsigned char>(byte)) || byte == '_' || byte == '$';
            ++at;
        }
    }
    return shape;
}

}  // namespace sluice::php
