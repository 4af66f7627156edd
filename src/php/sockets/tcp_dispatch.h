#pragma once

namespace sluice::php {

/// For the module's start: what happens on a TCP connection becomes calls of its handler.
void init_tcp_dispatch();

}  // namespace sluice::php
