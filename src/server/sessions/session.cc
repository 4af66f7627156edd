#include "server/sessions/session.h"

#include <cstring>

#include "server/reactor/reactor.h"

namespace sluice {

void deliver_message(Reactor& reactor, Connection& self, Inbound& message, Room room, MessageRoom& holder) {
    if (!room && !holder.room() && message.payload.size() >= kSlotThreshold &&
        holder.grow(reactor.transport(), message.payload.size(), 0)) {
        room = holder.room();
        memcpy(room.data, message.payload.data(), message.payload.size());
        message.payload = {room.data, message.payload.size()};
    }
    reactor.deliver(self, self.worker, message, room);
    if (room) holder.forget();
}

}  // namespace sluice
