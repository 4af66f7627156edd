#include "server/master/early_reload.h"

#include <csignal>

namespace sluice {

namespace {
volatile sig_atomic_t was_asked = 0;
}

void note_early_reload(int) {
    was_asked = 1;
}

bool take_early_reload() {
    const bool asked = was_asked != 0;
    was_asked = 0;
    return asked;
}

}  // namespace sluice
