#pragma once

#include "php/zend/php_api.h"
// clang-format off
#include <ext/session/php_session.h>
// clang-format on

// PHP may have been built without sessions, and declares the functions as if they were written in C++.
extern PHPAPI php_ps_globals ps_globals __attribute__((weak));
extern "C" zend_result flush_session(int write) asm("php_session_flush") __attribute__((weak));

namespace sluice::php {

/// PHP's state of one session, without its settings.
struct SessionFields {
    zend_string* id;
    const ps_module* mod;
    void* mod_data;
    php_session_status status;
    decltype(php_ps_globals::mod_user_names) user_names;
    bool user_implemented, user_is_open, send_cookie, define_sid, in_save_handler, set_handler;
    zend_string* user_class_name;
    zval variables;
    zend_string* variables_before;
    zend_string* started_in = nullptr;
    uint32_t started_at = 0;
};

/// Copies PHP's session into `kept`, and a kept one into PHP's globals: whose it is moves with it.
void take_session(SessionFields& kept);
void put_session(const SessionFields& kept);
/// Call it after take_session(): PHP has no session, and the handler that was set.
void begin_session();
/// Frees PHP's session, which has ended.
void release_session();

}  // namespace sluice::php
