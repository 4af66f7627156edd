#include "php/worker/worker_report.h"

#include "php/coroutine/coroutine_scheduler.h"
#include "php/worker/handler_calls.h"
#include "php/worker/worker.h"
#include "php/zend/backtraces.h"

namespace sluice::php {

namespace {
constexpr size_t kMostCoroutines = 50;
}

std::string describe_worker_process(bool is_crash) {
    const Worker* const worker = current_worker();
    std::string text;
    if (worker && !is_crash)
        text = "worker " + std::to_string(worker->identity.id) + " of generation " +
               std::to_string(worker->identity.generation) + ", " + std::to_string(worker->handlers) +
               " handlers have begun\n";
    const std::string stack = backtrace(EG(current_execute_data), read_any_memory);
    text += stack.empty() ? "no PHP code runs" : "PHP stands in " + stack;
    if (const Occasion* const occasion = current_occasion())
        text += std::string("\nrunning ") + occasion->name().text();
    if (!scheduler()) return text;
    size_t count = 0;
    scheduler()->for_each_live([&](const Coroutine& coroutine) {
        if (!coroutine.frame || ++count > kMostCoroutines) return;
        text += std::string("\nwaiting: ") +
                (coroutine.occasion ? coroutine.occasion->name().text() : "a coroutine without a request") +
                ", in " + backtrace(coroutine.frame, read_any_memory);
    });
    if (count > kMostCoroutines)
        text += "\nand " + std::to_string(count - kMostCoroutines) + " more coroutines that wait";
    return text;
}

}  // namespace sluice::php
