#pragma once

#include "server/seam/worker_port.h"

namespace sluice::php {

/// Whether the socket is a listener of the server's, or a connection that came by one.
bool is_of_server(int fd, const WorkerIdentity& identity);

}  // namespace sluice::php
