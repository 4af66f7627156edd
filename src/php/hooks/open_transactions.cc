#include "php/hooks/open_transactions.h"

#include <cstdio>
#include <unordered_map>

#include "core/log.h"
#include "php/coroutine/concurrent_use.h"
#include "php/coroutine/waiting.h"
#include "php/hooks/connection_identity.h"
#include "php/hooks/odbc_connections.h"
#include "php/hooks/redis_watches.h"
#include "php/zend/backtraces.h"
#include "php/zend/errors.h"

namespace sluice::php {

namespace {

constexpr size_t kLongestSentence = 2048;

struct Transaction {
    uint64_t owner;         ///< the number of the coroutine's job; 0: the code outside of coroutines
    std::string begun;      ///< the call that has begun it
    HeldConnection held;    ///< finds the connection again
    uint64_t ended_by = 0;  ///< the number of the coroutine that rolls it back; 0: none does now
    bool failed = false;    ///< whether it could not be rolled back
};

std::unordered_map<const void*, Transaction> transactions;
bool noted_outside = false;
LeftTransactions left;

/// The object whose method is called, or the function's first argument.
const zval& subject_of(const zend_execute_data* call) {
    if (Z_TYPE(call->This) == IS_OBJECT) return call->This;
    const zval* first = ZEND_CALL_ARG(call, 1);
    ZVAL_DEREF(first);
    return *first;
}

void forget(const void* connection) {
    forget_redis_watch(connection);
    forget_odbc_transaction(connection);
    const auto found = transactions.find(connection);
    if (found == transactions.end()) return;
    const HeldConnection held = found->second.held;
    transactions.erase(found);
    release_connection(held);
}

/// Holds C++ objects, so nothing here may call into PHP.
void write_refusal(const Transaction& transaction, const zend_execute_data* refused, char* text,
                   size_t size) {
    const std::string call = place_of(refused);
    if (transaction.failed) {
        snprintf(
            text, size,
            "A transaction is open on this connection, which %s has begun in a coroutine that has ended. It "
            "could not be rolled back, and %s would become part of it: close the connection, and make "
            "another",
            transaction.begun.c_str(), call.c_str());
        return;
    }
    snprintf(
        text, size,
        "Another coroutine has a transaction open on this connection, since %s, and %s would become part "
        "of it: give each coroutine a connection of its own, as Sluice\\Pool does",
        transaction.begun.c_str(), call.c_str());
}

constexpr const char* kEndOfJob = "the end of its handler or coroutine";

void say_left(const char* begun, const char* until, const char* what) {
    SLUICE_WARNING(
        "The transaction that %s has begun was still open at %s. %s: end a transaction where it begins, or "
        "take the connection from a Sluice\\Pool",
        begun, until, what);
}

/// Rolls back what its coroutine has left. False when that has failed; of a lost connection its driver tells.
bool roll_back(const void* connection, const char* until = kEndOfJob) {
    auto found = transactions.find(connection);
    const Sentence begun(found->second.begun);
    const HeldConnection held = found->second.held;
    Coroutine* const self = enclosing_coroutine();
    found->second.ended_by = self ? self->number : 0;
    // A cancellation would break the connection in the middle.
    if (self) ++self->shields;
    const RolledBack result = roll_back_connection(held);
    if (self) --self->shields;
    if (result == RolledBack::kYes) {
        ++left.count;
        left.last = begun.view();
        say_left(begun.text(), until, "It has been rolled back");
    }
    if (result != RolledBack::kNo) {
        forget(connection);
        return true;
    }
    found = transactions.find(connection);
    if (found == transactions.end()) return true;
    found->second.ended_by = 0;
    if (!found->second.failed)
        say_left(begun.text(), until,
                 "It cannot be rolled back, so other coroutines may not use the connection");
    found->second.failed = true;
    return false;
}

/// A transaction that ends with `self`, whose job is over; nullptr: none.
const void* ends_with(const Coroutine& self) {
    for (const auto& [connection, transaction] : transactions) {
        if (transaction.failed || transaction.owner == 0) continue;
        const bool is_heir =
            transaction.owner == self.number || (self.parent && !scheduler()->find(transaction.owner) &&
                                                 scheduler()->descends_from(self, transaction.owner));
        if (is_heir && !scheduler()->has_family(transaction.owner, self)) return connection;
    }
    return nullptr;
}

/// What a function has begun that its parent waits for, as in timeout(), is the parent's.
void hand_over_to_parent(const Coroutine& self) {
    for (auto& [connection, transaction] : transactions)
        if (transaction.owner == self.number) transaction.owner = self.parent;
}

bool owns_any(const Coroutine& self) {
    for (const auto& [connection, transaction] : transactions)
        if (transaction.owner == self.number) return true;
    return false;
}

/// A transaction of the code outside of coroutines that has ended; nullptr: none.
const void* left_outside() {
    for (const auto& [connection, transaction] : transactions)
        if (transaction.owner == 0 && !transaction.failed) return connection;
    return nullptr;
}

}  // namespace

bool await_roll_back(Coroutine& self, const void* connection) {
    if (EXPECTED(transactions.empty())) return true;
    Repeated repeated;
    for (;;) {
        const auto found = transactions.find(connection);
        if (EXPECTED(found == transactions.end() || !found->second.ended_by)) return true;
        // The driver's own call, or one that may not wait.
        if (found->second.ended_by == self.number || !hookable()) return true;
        if (!repeated.pause(self)) return false;
    }
}

bool is_in_anothers_transaction(const Coroutine& self, const void* connection,
                                const zend_execute_data* call) {
    if (EXPECTED(transactions.empty())) return false;
    const auto found = transactions.find(connection);
    if (found == transactions.end()) return false;
    const uint64_t owner = found->second.owner;
    if (owner == self.number) return false;
    // A transaction is over when its connection's object was replaced; who has left coroutines has lost it.
    if (owner == 0 || !has_open_transaction(subject_of(call))) {
        forget(connection);
        return false;
    }
    if (scheduler()->descends_from(self, owner)) return false;
    // What could not be rolled back may be now: a result that was in the way has been freed.
    if (found->second.failed && roll_back(connection)) return false;
    char text[kLongestSentence];
    write_refusal(transactions.find(connection)->second, call, text, sizeof text);
    zend_throw_exception(concurrent_use_exception_class, text, 0);
    return true;
}

void note_transaction(const Coroutine* self, const void* connection, const zend_execute_data* call,
                      const zval& result) {
    const zval& subject = subject_of(call);
    if (Z_TYPE(subject) == IS_OBJECT) note_redis_watch(Z_OBJ(subject), call, result);
    note_odbc_call(subject, connection, call, result);
    // A result of odbc that has been freed does not lead to its connection.
    if (has_open_odbc_transaction(connection) || has_open_transaction(subject)) {
        if (transactions.contains(connection)) return;
        const HeldConnection held = hold_connection(subject, connection, forget);
        transactions.emplace(connection, Transaction{self ? self->number : 0, place_of(call), held});
    } else if (!transactions.empty()) {
        forget(connection);
    }
}

std::string_view begin_of_transaction(const void* connection) {
    const auto found = transactions.find(connection);
    return found == transactions.end() ? std::string_view() : found->second.begun;
}

const LeftTransactions& left_transactions() {
    return left;
}

void roll_back_left(Coroutine& self) {
    if (EXPECTED(transactions.empty())) return;
    if (self.is_part_of_parent) hand_over_to_parent(self);
    while (const void* connection = ends_with(self))
        roll_back(connection);
    if (self.has_spawned && !owns_any(self)) scheduler()->bequeath_children(self);
}

void roll_back_before_close(const zend_object* object, const void* connection) {
    const auto found = transactions.find(connection);
    if (found == transactions.end() || found->second.held.of != object) return;
    roll_back(connection, "pg_close()");
}

void forget_odbc_transactions() {
    while (const void* connection = any_odbc_transaction())
        forget(connection);
}

void note_transactions_outside(bool noted) {
    noted_outside = noted;
    if (noted) return;
    while (const void* connection = left_outside())
        roll_back(connection);
}

bool are_transactions_noted_outside() {
    return noted_outside;
}

void forget_transactions() {
    while (!transactions.empty())
        forget(transactions.begin()->first);
    release_connections();
    noted_outside = false;
}

}  // namespace sluice::php
