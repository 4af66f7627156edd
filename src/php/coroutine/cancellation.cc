#include "php/coroutine/cancellation.h"

#include "core/clock.h"
#include "core/log.h"
#include "php/zend/backtraces.h"
#include "php/zend/exceptions.h"
#include "php/zend/said_once.h"

namespace sluice::php {

zend_class_entry* cancelled_error_class = nullptr;

namespace {

constexpr const char* kStillWaited =
    "The coroutine was cancelled, and still waited 3 s later: it was ended where it waited";

}  // namespace

void note_cancelled(Coroutine& self) {
    if (!self.must_end_ms) self.must_end_ms = monotonic_ms() + kCleanUpMs;
}

bool is_overdue(const Coroutine& self) {
    return self.must_end_ms && !self.shields && !self.awaits_children && monotonic_ms() >= self.must_end_ms;
}

zend_object* end_overdue(Coroutine& self) {
    if (is_first_here("overdue"))
        SLUICE_WARNING(
            "A coroutine that was cancelled 3 s ago still waits, in %s. It is ended there: throw "
            "CancelledError again "
            "after cleaning up, and put what takes longer into Coroutine\\shield()",
            place_of(EG(current_execute_data)).c_str());
    self.is_ended = true;
    return zend_create_graceful_exit();
}

bool ends_overdue() {
    const Coroutine* const self = enclosing_coroutine();
    return self && self->is_ended && !(self->fiber->flags & ZEND_FIBER_FLAG_DESTROYED) && EG(exception) &&
           zend_is_graceful_exit(EG(exception));
}

void settle_end_of_overdue() {
    if (EXPECTED(!EG(exception)) || !ends_overdue()) return;
    zend_clear_exception();
    zend_throw_exception(cancelled_error_class, kStillWaited, 0);
}

AwaitsChildren::~AwaitsChildren() {
    --self_.awaits_children;
    if (self_.must_end_ms) self_.must_end_ms = monotonic_ms() + kCleanUpMs;
}

bool comes_of_cancellation(zend_object* exception) {
    if (is_exit(exception)) return false;
    for (int count = 0; exception && count < kMostPreviousExceptions; ++count) {
        if (exception->ce == cancelled_error_class) return true;
        exception = previous_of(exception);
    }
    return false;
}

}  // namespace sluice::php
