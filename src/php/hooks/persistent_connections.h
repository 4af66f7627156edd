#pragma once

namespace sluice::php {

// Persistent connections of PDO, pgsql, odbc and Memcached: PHP gives everybody who asks for the same one the same
// connection, for in its servers a process has one request. A coroutine gets one of its own instead, and the
// log says so.

/// Call it before the script begins.
void refuse_persistence();
/// Call it before this extension is unloaded.
void release_persistence();

}  // namespace sluice::php
