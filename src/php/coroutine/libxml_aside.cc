#include "php/coroutine/libxml_aside.h"

#include <Zend/zend_llist.h>

/// libxml2's; weak, as PHP may have been built without it.
extern "C" void** __xmlStructuredError() __attribute__((weak));

namespace sluice::php {

namespace {

/// How the globals of PHP's libxml begin, in all versions. Its header needs those of libxml2.
struct LibxmlGlobals {
    zval stream_context;
    smart_str error_buffer;
    zend_llist* errors;  ///< nullptr: errors are warnings
};

LibxmlGlobals* globals = nullptr;
/// While there are coroutines: the setting of the code outside.
void* handler_outside = nullptr;
/// PHP's list where there is no libxml, or no coroutine.
zend_llist* no_errors = nullptr;
LibxmlAside::Errors& errors = LibxmlAside::errors;

LibxmlGlobals* find_globals() {
    const auto* const module =
        static_cast<const zend_module_entry*>(zend_hash_str_find_ptr(&module_registry, ZEND_STRL("libxml")));
    if (!module || !&__xmlStructuredError || module->globals_size < sizeof(LibxmlGlobals)) return nullptr;
    return static_cast<LibxmlGlobals*>(module->globals_ptr);
}

/// An empty list of the same kind.
zend_llist* new_list(const zend_llist* like) {
    auto* const list = static_cast<zend_llist*>(emalloc(sizeof(zend_llist)));
    zend_llist_init(list, like->size, like->dtor, false);
    return list;
}

void free_list(zend_llist*& list) {
    if (!list) return;
    zend_llist_destroy(list);
    efree(list);
    list = nullptr;
}

void begin_anew() {
    *__xmlStructuredError() = handler_outside;
    globals->errors = errors.outside ? new_list(errors.outside) : nullptr;
}

}  // namespace

LibxmlAside::Errors LibxmlAside::errors = {&no_errors, nullptr};

void begin_libxml_state() {
    globals = find_globals();
    if (!globals) return;
    handler_outside = *__xmlStructuredError();
    errors = {&globals->errors, globals->errors};
    begin_anew();
}

void end_libxml_state() {
    if (!globals) return;
    free_list(globals->errors);
    globals->errors = errors.outside;
    *__xmlStructuredError() = handler_outside;
    errors = {&no_errors, nullptr};
    globals = nullptr;
}

bool LibxmlAside::looks_at_rest() {
    return *errors.now && errors.outside && (*errors.now)->count == 0 &&
           *__xmlStructuredError() == handler_outside;
}

void LibxmlAside::take() {
    handler_ = *__xmlStructuredError();
    errors_ = globals->errors;
    begin_anew();
}

void LibxmlAside::put_back() const {
    free_list(globals->errors);
    globals->errors = errors_;
    *__xmlStructuredError() = handler_;
}

void keep_libxml_state() {
    if (!globals) return;
    handler_outside = *__xmlStructuredError();
    if (!globals->errors) {
        free_list(errors.outside);
    } else if (!errors.outside) {
        errors.outside = new_list(globals->errors);
    }
}

void drop_libxml_state() {
    free_list(globals->errors);
    begin_anew();
}

}  // namespace sluice::php
