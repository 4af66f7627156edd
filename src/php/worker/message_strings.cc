#include "php/worker/message_strings.h"

#include <algorithm>
#include <cstddef>

namespace sluice::php {

static_assert(offsetof(zend_string, val) == kPayloadOffset,
              "a PHP string's characters start where payloads do");
static_assert(kPayloadTail >= 1, "a PHP string ends with a NUL");

namespace {

/// Enough to keep up with a handler that keeps each message for a while, and few enough to cost little.
constexpr size_t kSweptPerTurn = 64;

zend_string* header_of(const Inbound& message) {
    return reinterpret_cast<zend_string*>(const_cast<char*>(message.payload.data()) - kPayloadOffset);
}

zend_string* write_header(const Inbound& message, uint32_t references) {
    zend_string* string = header_of(message);
    GC_SET_REFCOUNT(string, references);
    GC_TYPE_INFO(string) = GC_STRING;
    ZSTR_H(string) = 0;
    ZSTR_LEN(string) = message.payload.size();
    ZSTR_VAL(string)[message.payload.size()] = '\0';
    return string;
}

}  // namespace

zend_string* MessageStrings::take(const Inbound& message) {
    switch (message.home) {
        case PayloadHome::kBorrowed: break;
        case PayloadHome::kString: return write_header(message, 1);
        case PayloadHome::kExtent:
            if (lent_bytes_ + message.payload.size() <= lent_limit_) {
                account(static_cast<ptrdiff_t>(message.payload.size()));
                return write_header(message, 2);
            }
            zend_string* copy = new_string(message.payload);
            port_->release(message);
            return copy;
    }
    return new_string(message.payload);
}

bool MessageStrings::is_in_place(const Inbound& message, const zend_string* taken) {
    return message.home != PayloadHome::kExtent || taken == header_of(message);
}

void MessageStrings::settle(const Inbound& message, const zend_string* taken) {
    if (message.home != PayloadHome::kExtent || !is_in_place(message, taken)) return;
    if (GC_REFCOUNT(taken) == 1) {
        give_back(message);
        return;
    }
    Inbound extent = message;
    extent.move_head({});
    lent_.push_back(extent);
}

void MessageStrings::sweep_some() {
    for (size_t looked = std::min(kSweptPerTurn, lent_.size()); looked > 0 && !lent_.empty(); --looked) {
        if (next_ >= lent_.size()) next_ = 0;
        if (!reclaim(next_)) ++next_;
    }
}

void MessageStrings::sweep() {
    for (size_t index = 0; index < lent_.size();)
        if (!reclaim(index)) ++index;
}

bool MessageStrings::reclaim(size_t index) {
    const Inbound extent = lent_[index];
    if (GC_REFCOUNT(header_of(extent)) != 1) return false;
    lent_[index] = lent_.back();
    lent_.pop_back();
    give_back(extent);
    return true;
}

void MessageStrings::give_back(const Inbound& message) {
    port_->release(message);
    account(-static_cast<ptrdiff_t>(message.payload.size()));
}

void MessageStrings::account(ptrdiff_t bytes) {
    lent_bytes_ += static_cast<size_t>(bytes);
    port_->set_lent_bytes(lent_bytes_);
}

void MessageStrings::abandon(WorkerPort& port) {
    port_ = &port;
    lent_.clear();
}

}  // namespace sluice::php
