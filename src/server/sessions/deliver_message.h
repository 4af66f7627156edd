#pragma once

#include <cstddef>

#include "server/seam/messages.h"
#include "server/sessions/message_room.h"

namespace sluice {

class SessionHost;
struct Connection;

/// After a message of this size the next one is read with a small scratch buffer, so that its payload goes
/// from the socket straight to its extent. Below, one big read for several messages and a copy of each cost
/// less.
inline constexpr size_t kBulkThreshold = 32768;

/// Hands a WebSocket or TCP message to the connection's worker. `room`: the payload is in it, `holder`'s
/// room; if empty, the payload is in the input and is copied, from kExtentThreshold on to an extent.
void deliver_message(SessionHost& host, Connection& self, Inbound& message, Room room, MessageRoom& holder);

}  // namespace sluice
