#pragma once

#include <string>

namespace sluice::php {

/// For ProcessReport: where PHP stands, for which request, and what other coroutines wait for.
std::string describe_worker_process(bool is_crash);

}  // namespace sluice::php
