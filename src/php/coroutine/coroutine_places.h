#pragma once

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

/// Appends to `text`, one line each, the calls that coroutines wait in and where the application made them; a
/// bounded number of lines.
void append_places(smart_str& text, Scheduler& scheduler);

}  // namespace sluice::php
