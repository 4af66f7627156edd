#include "server/sharing/budget.h"

#include <cassert>

namespace sluice {

bool Budget::may_have(Key key, uint64_t amount, const Besides& besides) const {
    const uint64_t used = used_ + besides.used;
    if (amount > rule_.most || used > rule_.most - amount) return false;
    if (used + amount <= rule_.open || key == kNobody) return true;
    return rule_.allows(used + amount, used_by(key) + besides.own + amount);
}

void Budget::charge(Key key, uint64_t amount) {
    used_ += amount;
    by_key_.add(key, amount);
}

bool Budget::take(Key key, uint64_t amount) {
    if (!may_have(key, amount)) return false;
    charge(key, amount);
    return true;
}

void Budget::give_back(Key key, uint64_t amount) {
    assert(used_ >= amount && (key == kNobody || used_by(key) >= amount));
    used_ -= amount;
    by_key_.take(key, amount);
}

}  // namespace sluice
