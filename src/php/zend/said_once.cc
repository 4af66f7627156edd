#include "php/zend/said_once.h"

#include <unordered_set>

namespace sluice::php {

namespace {

/// More than anybody reads.
constexpr size_t kMostSaid = 1000;

bool is_first(const char* what, const zend_string* file, uint32_t line) {
    return is_first_with(what, std::string(ZSTR_VAL(file)) + ':' + std::to_string(line));
}

}  // namespace

bool is_first_with(const char* what, const std::string& text) {
    static std::unordered_set<std::string>* const said = new std::unordered_set<std::string>;
    if (said->size() >= kMostSaid) return false;
    return said->insert(std::string(what) + '\0' + text).second;
}

bool is_first_here(const char* what) {
    const zend_string* const file = zend_get_executed_filename_ex();
    return is_first(what, file ? file : ZSTR_EMPTY_ALLOC(), file ? zend_get_executed_lineno() : 0);
}

bool is_first_of(const char* what, const zend_function* function) {
    if (!function || function->type != ZEND_USER_FUNCTION) return is_first_here(what);
    return is_first(what, function->op_array.filename, function->op_array.line_start);
}

}  // namespace sluice::php
