#pragma once

#include "php/coroutine/coroutine.h"

namespace sluice::php {

/// The running coroutine; throws an Error and returns nullptr where it cannot suspend.
Coroutine* require_coroutine();

}  // namespace sluice::php
