#pragma once

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

/// Adds to `text`, on a line each, what the coroutines wait in and where in the application that was called;
/// a bounded number of them.
void append_places(smart_str& text, Scheduler& scheduler);

}  // namespace sluice::php
