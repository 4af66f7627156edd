#include "php/hooks/redis_watches.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <strings.h>
#include <unordered_map>

#include "php/zend/exceptions.h"
#include "php/zend/objects.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

/// What the client has begun since it watches: only the EXEC of a MULTI ends the watch.
enum class Mode : uint8_t { kPlain, kMulti, kPipeline };

zend_class_entry* redis = nullptr;
zend_class_entry* cluster = nullptr;
std::unordered_map<const void*, Mode> watching;

bool is_of(const zend_object* object, const zend_class_entry* class_entry) {
    return class_entry && instanceof_function(object->ce, class_entry);
}

bool is_word(std::string_view text, std::string_view word) {
    return text.size() == word.size() && strncasecmp(text.data(), word.data(), word.size()) == 0;
}

/// The command that a method sends.
std::string_view command_of(const zend_object* connection, const zend_execute_data* call) {
    const std::string_view name = view(call->func->common.function_name);
    // A cluster's takes the node first.
    const uint32_t place = is_of(connection, cluster) ? 2 : 1;
    if (!is_word(name, "rawcommand") || ZEND_CALL_NUM_ARGS(call) < place) return name;
    const zval* const command = ZEND_CALL_ARG(call, place);
    return Z_TYPE_P(command) == IS_STRING ? view(Z_STR_P(command)) : name;
}

bool is_one_of(std::string_view command, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words,
                               [&](std::string_view word) { return is_word(command, word); });
}

bool asks_for_pipeline(std::string_view command, const zend_execute_data* call) {
    constexpr zend_long kPipeline = 2;  // Redis::PIPELINE
    if (is_one_of(command, {"pipeline"})) return true;
    const zval* const first = ZEND_CALL_NUM_ARGS(call) ? ZEND_CALL_ARG(call, 1) : nullptr;
    return first && Z_TYPE_P(first) == IS_LONG && Z_LVAL_P(first) == kPipeline;
}

}  // namespace

void learn_redis_classes() {
    redis = find_internal_class("redis");
    cluster = find_internal_class("rediscluster");
}

void note_redis_watch(const zend_object* connection, const zend_execute_data* call, const zval& result) {
    if (!is_of(connection, redis) && !is_of(connection, cluster)) return;
    const std::string_view command = command_of(connection, call);
    if (is_one_of(command, {"watch"})) {
        // In a pipeline it gives the object, and is sent by the pipeline's exec().
        if (!EG(exception) && Z_TYPE(result) != IS_FALSE)
            watching.try_emplace(connection, Z_TYPE(result) == IS_OBJECT ? Mode::kPipeline : Mode::kPlain);
        return;
    }
    const auto found = watching.find(connection);
    if (found == watching.end()) return;
    Mode& mode = found->second;
    if (is_one_of(command, {"multi", "pipeline"})) {
        if (mode == Mode::kPlain) mode = asks_for_pipeline(command, call) ? Mode::kPipeline : Mode::kMulti;
    } else if (is_one_of(command, {"exec", "discard"})) {
        if (mode == Mode::kMulti) {
            watching.erase(found);
        } else {
            mode = Mode::kPlain;
        }
    } else if (is_one_of(command, {"unwatch", "connect", "pconnect", "open", "popen", "reset"})) {
        if (mode == Mode::kPlain) watching.erase(found);
    }
}

bool has_redis_watch(const zend_object* connection) {
    return !watching.empty() && watching.contains(connection);
}

bool end_redis_watch(zend_object* connection) {
    watching.erase(connection);
    const zend_class_entry* const own = is_of(connection, redis) ? redis : cluster;
    auto* const unwatch =
        static_cast<zend_function*>(zend_hash_str_find_ptr(&own->function_table, ZEND_STRL("unwatch")));
    zval answer;
    ZVAL_UNDEF(&answer);
    const int reporting = EG(error_reporting);
    EG(error_reporting) = 0;
    zend_call_known_function(unwatch, connection, connection->ce, &answer, 0, nullptr, nullptr);
    EG(error_reporting) = reporting;
    const bool failed = EG(exception);
    if (EG(exception) && !is_exit(EG(exception))) zend_clear_exception();
    zval_ptr_dtor(&answer);
    return !failed;
}

void forget_redis_watch(const void* connection) {
    watching.erase(connection);
}

}  // namespace sluice::php
