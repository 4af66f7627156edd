#include "php/http/classic_session.h"

#include "php/zend/php_versions.h"

namespace sluice::php {

void take_session(SessionFields& kept) {
    kept = {PS(id),
            PS(mod),
            PS(mod_data),
            PS(session_status),
            PS(mod_user_names),
            PS(mod_user_implemented),
            PS(mod_user_is_open),
            PS(send_cookie),
            PS(define_sid),
            PS(in_save_handler),
            PS(set_handler),
            PS(mod_user_class_name),
            PS(http_session_vars),
            PS(session_vars)};
    visit_session_start(ps_globals, [&](zend_string* file, uint32_t line) {
        kept.started_in = file;
        kept.started_at = line;
    });
}

void put_session(const SessionFields& kept) {
    PS(id) = kept.id;
    PS(mod) = kept.mod;
    PS(mod_data) = kept.mod_data;
    PS(session_status) = kept.status;
    PS(mod_user_names) = kept.user_names;
    PS(mod_user_implemented) = kept.user_implemented;
    PS(mod_user_is_open) = kept.user_is_open;
    PS(send_cookie) = kept.send_cookie;
    PS(define_sid) = kept.define_sid;
    PS(in_save_handler) = kept.in_save_handler;
    PS(set_handler) = kept.set_handler;
    PS(mod_user_class_name) = kept.user_class_name;
    PS(http_session_vars) = kept.variables;
    PS(session_vars) = kept.variables_before;
    visit_session_start(ps_globals, [&](zend_string*& file, uint32_t& line) {
        file = kept.started_in;
        line = kept.started_at;
    });
}

void begin_session() {
    PS(id) = PS(session_vars) = nullptr;
    PS(mod_data) = nullptr;
    if (PS(session_status) == php_session_active) PS(session_status) = php_session_none;
    PS(mod_user_is_open) = PS(in_save_handler) = PS(set_handler) = false;
    PS(send_cookie) = PS(define_sid) = true;
    ZVAL_UNDEF(&PS(http_session_vars));
    visit_session_start(ps_globals, [](zend_string*& file, uint32_t& line) {
        file = nullptr;
        line = 0;
    });
    for (zval& callable : session_callables(PS(mod_user_names)))
        Z_TRY_ADDREF(callable);
    if (PS(mod_user_class_name)) zend_string_addref(PS(mod_user_class_name));
}

void release_session() {
    zval_ptr_dtor(&PS(http_session_vars));
    ZVAL_UNDEF(&PS(http_session_vars));
    if (PS(mod_data)) PS(mod)->s_close(&PS(mod_data));
    for (zend_string* text : {PS(id), PS(session_vars), PS(mod_user_class_name)})
        if (text) zend_string_release(text);
    for (zval& callable : session_callables(PS(mod_user_names))) {
        zval_ptr_dtor(&callable);
        ZVAL_UNDEF(&callable);
    }
    visit_session_start(ps_globals, [](zend_string*& file, uint32_t&) {
        if (file) zend_string_release(file);
        file = nullptr;
    });
}

}  // namespace sluice::php
