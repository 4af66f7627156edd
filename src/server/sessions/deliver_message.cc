#include "server/sessions/deliver_message.h"

#include <cstring>

#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"

namespace sluice {

void deliver_message(SessionHost& host, Connection& self, Inbound& message, Room room, MessageRoom& holder) {
    if (!room && !holder.room() && message.payload.size() >= kExtentThreshold &&
        holder.grow(host.transport(),
                    {self.client_key(), message.payload.size(), 0, message.payload.size()})) {
        room = holder.room();
        memcpy(room.data, message.payload.data(), message.payload.size());
        message.payload = {room.data, message.payload.size()};
    }
    host.deliver(self, self.worker, message, room);
    if (room) holder.forget();
}

}  // namespace sluice
