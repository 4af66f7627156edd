#include "php/coroutine/cancellation.h"

#include "php/zend/exceptions.h"

namespace sluice::php {

zend_class_entry* cancelled_error_class = nullptr;

bool comes_of_cancellation(zend_object* exception) {
    if (is_exit(exception)) return false;
    for (int count = 0; exception && count < kMostPreviousExceptions; ++count) {
        if (exception->ce == cancelled_error_class) return true;
        exception = previous_of(exception);
    }
    return false;
}

}  // namespace sluice::php
