#pragma once

namespace sluice::php {

/// Writes the exception that has come out of `where` ("an HTTP handler") to the log, with its trace and those
/// before it, and clears it. False, and nothing done, when it is no exception but exit() on its way out.
bool log_exception(const char* where);

}  // namespace sluice::php
