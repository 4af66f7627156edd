#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/http/http_head.h"
#include "server/seam/command.h"
#include "server/seam/connection_id.h"
#include "server/seam/inbound.h"

namespace sluice {

/// Room in front of a payload in its extent, so that a worker can write a PHP string header there
/// (src/php asserts that it is `offsetof(zend_string, val)`), and one byte behind it for the final NUL.
inline constexpr size_t kPayloadOffset = 24;
inline constexpr size_t kPayloadTail = 1;

/// Payloads of this size and more are received straight into an extent; smaller ones travel inside the ring.
inline constexpr size_t kExtentThreshold = 8192;

/// Outgoing payloads of this size and more go through an extent of the worker's out-arena.
inline constexpr size_t kOutExtentThreshold = 16384;

/// The longest message that a client with an empty queue gets when Limits::queued_total_bytes are used up.
inline constexpr size_t kSmallWhenFullBytes = 65536;

}  // namespace sluice
