#include "php/worker/service_run.h"

#include "php/coroutine/cancellation.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/worker/handler_calls.h"
#include "php/worker/service_class.h"
#include "php/worker/worker.h"
#include "php/zend/exceptions.h"

namespace sluice::php {

void ServiceRun::start() {
    run_handler(run, this);
}

void ServiceRun::run(const void* argument) {
    ServiceRun& self = *static_cast<ServiceRun*>(const_cast<void*>(argument));
    self.coroutine_ = current_coroutine();
    zval service;
    ZVAL_OBJ_COPY(&service, service_object(self.worker_));
    call(self.callback_, 1, &service);
    end_output_of_handler();
    zval_ptr_dtor(&service);
    self.coroutine_ = nullptr;
    self.over_ = true;
    if (!EG(exception)) return;
    // A service that was told to end, and is cancelled, ends so.
    const bool is_cancelled = self.worker_.port->stopping() && comes_of_cancellation(EG(exception));
    if (is_cancelled && !is_exit(EG(exception))) {
        zend_clear_exception();
        return;
    }
    self.failed_ = true;
    log_exception("a service");
}

void ServiceRun::cancel() {
    if (coroutine_) scheduler()->interrupt(*coroutine_, "The service ends");
}

}  // namespace sluice::php
