#pragma once

namespace sluice::php {

/// For the module's start: datagrams become calls of their handler.
void init_udp_dispatch();

}  // namespace sluice::php
