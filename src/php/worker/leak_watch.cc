#include "php/worker/leak_watch.h"

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/worker/handler_calls.h"
#include "php/worker/worker.h"

namespace sluice::php {

namespace {

/// Coroutines that a request has spawned may end by themselves in this time.
constexpr uint64_t kSettleMs = 100;

std::string subject_of(const Inbound& message, const std::string& place) {
    const auto* request = message.as<inbound::Request>();
    if (!request || !message.head()) return std::string(name_of(message.kind())) + " at " + place;
    const inbound::Head& head = request->head;
    return std::string(head.parsed->method_text.in(head.text.data())) + " " +
           std::string(head.parsed->path.in(head.text.data()));
}

}  // namespace

void LeakWatch::begins(const Inbound& message, const std::string& place) {
    subject_ = subject_of(message, place);
    is_due_ = true;
    settles_until_ms_ = 0;
}

size_t LeakWatch::coroutines() const {
    return scheduler() ? scheduler()->live() : 0;
}

bool LeakWatch::may_settle() {
    if (coroutines() <= coroutines_before_) return false;
    const uint64_t now_ms = monotonic_ms();
    if (settles_until_ms_ == 0) settles_until_ms_ = now_ms + kSettleMs;
    return now_ms < settles_until_ms_;
}

bool LeakWatch::look() {
    if (!is_due_ || worker_.handlers > 0 || !worker_.handlings.empty() || may_settle()) return true;
    zval subject;
    ZVAL_STR(&subject, new_string(subject_));
    ++worker_.handlers;
    call(detector_, 1, &subject);
    --worker_.handlers;
    zval_ptr_dtor(&subject);
    coroutines_before_ = coroutines();
    is_due_ = false;
    return check_exception(worker_, "the leak detector");
}

int LeakWatch::wait_ms() const {
    if (!is_due_ || settles_until_ms_ == 0) return -1;
    const uint64_t now_ms = monotonic_ms();
    return settles_until_ms_ > now_ms ? static_cast<int>(settles_until_ms_ - now_ms) : 0;
}

}  // namespace sluice::php
