#include "php/shared/named.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/log.h"
#include "php/zend/errors.h"
#include "shared/named_memories.h"

namespace sluice::php {

namespace {

bool is_name(std::string_view name) {
    constexpr std::string_view kPermitted =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-";
    return !name.empty() && name.size() <= NamedMemories::kMostNameBytes &&
           name.find_first_not_of(kPermitted) == std::string_view::npos;
}

}  // namespace

NamedMemory open_named(const zend_string* name, const char* shape, size_t bytes) {
    using Result = NamedMemories::Result;
    if (!is_name(view(name))) {
        zend_argument_value_error(
            1, "must be 1 to %zu letters, digits, dots, colons, dashes and underscores, \"%s\" given",
            NamedMemories::kMostNameBytes, ZSTR_VAL(name));
        return {};
    }
    const NamedMemories::Opened opened = NamedMemories::of_this_process().open(view(name), shape, bytes);
    switch (opened.result) {
        case Result::kNew:
        case Result::kFound: break;
        case Result::kOther:
            zend_argument_value_error(1,
                                      "must be a new name for %s: this script uses \"%s\" for something else",
                                      shape, ZSTR_VAL(name));
            return {};
        case Result::kTooMany:
            throw_server_exception("A server has at most %zu shared tables, counters and locks",
                                   NamedMemories::kMost);
            return {};
        case Result::kTooLate:
            throw_server_exception(
                "There is no \"%s\" that is %s: make it before run(), so that all workers share it",
                ZSTR_VAL(name), shape);
            return {};
        case Result::kFailed:
            throw_server_exception("Cannot get the memory of \"%s\", %s: %s", ZSTR_VAL(name), shape,
                                   strerror(errno));
            return {};
    }
    if (opened.reshaped)
        SLUICE_WARNING("the shared \"%s\" begins empty: it has become %s", ZSTR_VAL(name), shape);
    return {opened.memory, opened.result == Result::kNew};
}

}  // namespace sluice::php
