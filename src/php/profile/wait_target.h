#pragma once

#include <string>
#include <string_view>

#include "php/zend/php_api.h"

namespace sluice::php {

/// What a coroutine waits for, as far as its innermost calls tell.
struct WaitTarget {
    /// `frame`: the call that it waits in, or nullptr; `fd`: the descriptor that it waits for; -1: none.
    WaitTarget(const zend_execute_data* frame, int fd);

    /// `mysql`, `pgsql`, `redis`, `curl`, `sleep`, `channel`, `lock`, `dns`, `file`, `process`, … or empty.
    std::string_view kind;
    std::string target;  ///< the peer's address, or the name of a lock
    std::string query;   ///< SQL without its literals, at most kMostQueryBytes
};

constexpr size_t kMostQueryBytes = 240;

/// SQL with each literal as `?`, each run of blanks as one, and its end cut: what a profile may show.
std::string query_shape(std::string_view sql);

}  // namespace sluice::php
