#pragma once

#include <cstddef>

#include "server/seam/messages.h"
#include "server/sessions/message_room.h"

namespace sluice {

class SessionHost;
struct Connection;

/// From this size on the next message of a connection is awaited with an almost empty scratch buffer, so that
/// its payload goes from the socket to its extent; below it, one big read for several messages and one copy
/// each costs less.
inline constexpr size_t kBulkThreshold = 32768;

/// Hands a WebSocket or TCP message to the connection's worker. `room`: its payload stands there, the whole
/// of `holder`; otherwise it stands in the input and is copied, from kExtentThreshold on to an extent.
void deliver_message(SessionHost& host, Connection& self, Inbound& message, Room room, MessageRoom& holder);

}  // namespace sluice
