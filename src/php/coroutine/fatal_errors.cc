#include "php/coroutine/fatal_errors.h"

#include <algorithm>
#include <ext/standard/basic_functions.h>

#include "php/coroutine/coroutine.h"
#include "php/coroutine/engine_fields.h"
#include "php/coroutine/isolation.h"
#include "php/coroutine/no_waiting.h"
#include "php/zend/php_versions.h"

namespace sluice::php {

namespace {

bool survives = false;
bool has_survived = false;
decltype(zend_error_cb) report_error = nullptr;

constexpr int kJumps = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;

/// The exception of exit() in the place of an error of the user.
const zend_object* ends_by_user_error = nullptr;

/// Reports as PHP does, and jumps as PHP does. In between PHP would forbid the destructors of all objects,
/// also of the requests that go on. An error of the user unwinds the stack as exit() does: nothing is lost.
void report_and_jump(int type, zend_string* file, const uint32_t line, zend_string* message) {
    const bool jumps = (type & kJumps) && !(type & E_DONT_BAIL);
    if (!jumps || !(survives || request_globals())) return report_error(type, file, line, message);
    if (type != E_USER_ERROR && !survives) return report_error(type, file, line, message);
    report_error(type | E_DONT_BAIL, file, line, message);
    if (type != E_USER_ERROR) zend_bailout();
    if (!EG(exception)) zend_throw_unwind_exit();
    ends_by_user_error = EG(exception);
}

/// What is lost must not be missing to others.
void grant_memory() {
    if (PG(memory_limit) <= 0) return;
    const auto limit = static_cast<size_t>(PG(memory_limit));
    zend_set_memory_limit(limit + std::min(limit, zend_memory_usage(false)));
}

/// The compiler was left in the midst of a file, or was not called.
void forget_compiling() {
    for (zend_stack* stack : {&CG(loop_var_stack), &CG(delayed_oplines_stack), &CG(short_circuiting_opnums)})
        stack->top = 0;
    CG(memoized_exprs) = nullptr;
    CG(memoize_mode) = {};  // an enumeration from PHP 8.4 on
    CG(current_linking_class) = nullptr;
    if (EG(in_autoload)) zend_hash_clean(EG(in_autoload));
    forget_calls_without_waiting();
}

/// PHP's own calls were left while they called back. Their memory is lost with them.
void forget_calls() {
    char lost[Calls::bytes()];
    Calls::take(lost);
    if (!(OG(flags) & PHP_OUTPUT_ACTIVATED)) php_output_activate();
    OG(running) = nullptr;
}

/// Where a fatal error jumps to, as it was before.
class Standing {
  public:
    Standing() : self_(current_coroutine()) {
        if (self_) {
            shields_ = self_->shields;
            awaits_children_ = self_->awaits_children;
        }
    }

    /// Whether the jump has left nothing in an unknown state that others need.
    bool may_go_on() const { return survives && globals_ == request_globals(); }

    void put_back() const {
        CG(unclean_shutdown) = false;
        EG(active_fiber) = fiber_;
        EG(current_execute_data) = frame_;
        EG(error_reporting) = error_reporting_;
        EG(fake_scope) = scope_;
        EG(exception) = nullptr;
        if (self_) {
            self_->shields = shields_;
            self_->awaits_children = awaits_children_;
        }
        forget_compiling();
        forget_calls();
        grant_memory();
        has_survived = true;
    }

  private:
    Coroutine* const self_;
    unsigned shields_ = 0;
    unsigned awaits_children_ = 0;
    zend_fiber* const fiber_ = EG(active_fiber);
    zend_execute_data* const frame_ = EG(current_execute_data);
    const int error_reporting_ = EG(error_reporting);
    zend_class_entry* const scope_ = EG(fake_scope);
    RequestGlobals* const globals_ = request_globals();
};

/// With the place of the error; PHP has forgotten the calls that have led there.
void throw_last_error() {
    zend_throw_error(nullptr, "%s", PG(last_error_message) ? ZSTR_VAL(PG(last_error_message)) : "");
    zend_object* const error = EG(exception);
    if (PG(last_error_file)) zend_update_property_str(zend_ce_error, error, ZEND_STRL("file"), PG(last_error_file));
    zend_update_property_long(zend_ce_error, error, ZEND_STRL("line"), PG(last_error_lineno));
}

void throw_fatal_error() {
    RequestGlobals* const globals = request_globals();
    if (!globals) return throw_last_error();
    globals->note_fatal_error();
    zend_throw_unwind_exit();
}

/// Whether an error of the user has ended what is no script.
bool settle_user_error() {
    if (EG(exception) != ends_by_user_error || request_globals()) return false;
    zend_clear_exception();
    throw_last_error();
    return true;
}

}  // namespace

void watch_fatal_errors() {
    if (report_error) return;
    report_error = zend_error_cb;
    zend_error_cb = report_and_jump;
}

void release_fatal_errors() {
    if (!report_error) return;
    zend_error_cb = report_error;
    report_error = nullptr;
}

void survive_fatal_errors() {
    survives = true;
}

void die_of_fatal_errors() {
    survives = false;
}

bool has_survived_fatal_error() {
    return has_survived;
}

void end_as_after_fatal_error() {
    zend_objects_store_mark_destructed(&EG(objects_store));
    CG(unclean_shutdown) = true;
}

bool call_until_fatal_error(void (*code)(void* argument), void* argument) {
    // Within a call that has made PHP load or compile something, that call is the one to end.
    if (!survives || is_calling_without_waiting()) {
        code(argument);
        return true;
    }
    const Standing standing;
    JMP_BUF* const outer = EG(bailout);
    JMP_BUF here;
    EG(bailout) = &here;
    if (EXPECTED(SETJMP(here) == 0)) {
        code(argument);
        EG(bailout) = outer;
        if (EXPECTED(!ends_of_shortage(executor_globals))) return !EG(exception) || !settle_user_error();
    }
    EG(bailout) = outer;
    if (!standing.may_go_on()) zend_bailout();
    standing.put_back();
    throw_fatal_error();
    return false;
}

}  // namespace sluice::php
