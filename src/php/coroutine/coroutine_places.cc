#include "php/coroutine/coroutine_places.h"

#include "php/zend/backtraces.h"

namespace sluice::php {

namespace {

constexpr size_t kMostShown = 20;

/// Whether the frame is the application's, not one of the extension's own PHP files.
bool is_application(const zend_execute_data* frame) {
    return frame->func && ZEND_USER_CODE(frame->func->type) &&
           !view(frame->func->op_array.filename).starts_with(kLibraryFolder);
}

void append_function(smart_str& text, const zend_function* function) {
    if (function->common.scope) {
        smart_str_append(&text, function->common.scope->name);
        smart_str_appends(&text, "::");
    }
    smart_str_append(&text, function->common.function_name);
    smart_str_appends(&text, "()");
}

/// Appends one place; `frame` is where the coroutine was suspended.
void append_place(smart_str& text, const zend_execute_data* frame) {
    const zend_function* called = nullptr;
    for (; frame && !is_application(frame); frame = frame->prev_execute_data)
        if (frame->func && frame->func->common.function_name) called = frame->func;
    if (called) {
        append_function(text, called);
    } else {
        const bool iterates =
            frame && (frame->opline->opcode == ZEND_FE_RESET_R || frame->opline->opcode == ZEND_FE_FETCH_R);
        smart_str_appends(&text, iterates ? "foreach" : "a wait");
    }
    if (!frame) return;
    smart_str_appends(&text, " at ");
    smart_str_append(&text, frame->func->op_array.filename);
    smart_str_appendc(&text, ':');
    smart_str_append_unsigned(&text, frame->opline->lineno);
}

}  // namespace

void append_places(smart_str& text, Scheduler& scheduler) {
    size_t count = 0;
    scheduler.for_each_live([&](const Coroutine& coroutine) {
        if (++count > kMostShown) return;
        smart_str_appends(&text, "\n  ");
        // The application may have suspended this Fiber itself.
        const bool waits = coroutine.state == Coroutine::State::kWaiting;
        append_place(text, waits ? coroutine.frame : coroutine.fiber->execute_data);
    });
    if (count > kMostShown) {
        smart_str_appends(&text, "\n  and ");
        smart_str_append_unsigned(&text, count - kMostShown);
        smart_str_appends(&text, " more");
    }
}

}  // namespace sluice::php
