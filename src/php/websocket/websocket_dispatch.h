#pragma once

namespace sluice::php {

/// For the module's start: what happens on a WebSocket becomes calls of its handler, and so does its
/// handshake.
void init_websocket_dispatch();

}  // namespace sluice::php
