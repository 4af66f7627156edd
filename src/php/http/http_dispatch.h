#pragma once

namespace sluice::php {

/// For the module's start: requests become calls of HTTP handlers.
void init_http_dispatch();

}  // namespace sluice::php
