#include "php/hooks/open_transactions.h"

#include <cstdio>
#include <string>
#include <unordered_map>

#include "php/coroutine/concurrent_use.h"
#include "php/hooks/connection_identity.h"
#include "php/zend/backtraces.h"

namespace sluice::php {

namespace {

constexpr size_t kLongestSentence = 2048;

struct Transaction {
    uint64_t owner;     ///< the number of the coroutine's job
    std::string begun;  ///< the call that has begun it
};

std::unordered_map<const void*, Transaction> transactions;

/// The object whose method is called, or the function's first argument.
zend_object* subject_of(const zend_execute_data* call) {
    if (Z_TYPE(call->This) == IS_OBJECT) return Z_OBJ(call->This);
    zval* first = ZEND_CALL_ARG(call, 1);
    ZVAL_DEREF(first);
    return Z_TYPE_P(first) == IS_OBJECT ? Z_OBJ_P(first) : nullptr;
}

/// The coroutine with this number; nullptr once it has ended.
const Coroutine* find(uint64_t number) {
    const Coroutine* found = nullptr;
    scheduler()->for_each_live([&](const Coroutine& coroutine) {
        if (coroutine.number == number) found = &coroutine;
    });
    return found;
}

/// Whether `owner` is an ancestor of `self`: timeout(), for one, runs its function in a task.
bool descends_from(const Coroutine& self, const Coroutine& owner) {
    const Coroutine* one = &self;
    while (one && one->parent != owner.number)
        one = one->parent ? find(one->parent) : nullptr;
    return one;
}

/// Holds C++ objects, so nothing here may call into PHP.
void write_sentence(const Transaction& transaction, const zend_execute_data* refused, char* text,
                    size_t size) {
    snprintf(
        text, size,
        "Another coroutine has a transaction open on this connection, since %s, and %s would become part "
        "of it: give each coroutine a connection of its own, as Sluice\\Pool does",
        transaction.begun.c_str(), place_of(refused).c_str());
}

}  // namespace

bool is_in_anothers_transaction(const Coroutine& self, const void* connection,
                                const zend_execute_data* call) {
    if (EXPECTED(transactions.empty())) return false;
    const auto found = transactions.find(connection);
    if (found == transactions.end() || found->second.owner == self.number) return false;
    // A transaction is over when its connection's object was replaced, or its owner has ended.
    zend_object* const subject = subject_of(call);
    const Coroutine* const owner = find(found->second.owner);
    if (!subject || !owner || !has_open_transaction(subject)) {
        transactions.erase(found);
        return false;
    }
    if (descends_from(self, *owner)) return false;
    char text[kLongestSentence];
    write_sentence(found->second, call, text, sizeof text);
    zend_throw_exception(concurrent_use_exception_class, text, 0);
    return true;
}

void note_transaction(const Coroutine& self, const void* connection, const zend_execute_data* call) {
    zend_object* const subject = subject_of(call);
    if (subject && has_open_transaction(subject)) {
        const auto [place, is_new] = transactions.try_emplace(connection);
        if (is_new) place->second = {self.number, place_of(call)};
    } else if (!transactions.empty()) {
        transactions.erase(connection);
    }
}

std::string_view begin_of_transaction(const void* connection) {
    const auto found = transactions.find(connection);
    return found == transactions.end() ? std::string_view() : found->second.begun;
}

}  // namespace sluice::php
