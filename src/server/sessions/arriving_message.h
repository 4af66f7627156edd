#pragma once

#include <utility>

#include "server/sessions/message_room.h"

namespace sluice {

/// What a connection needs while a message arrives, and gives back between two messages: an idle connection
/// is to be small.
template <typename Receiver>
struct ArrivingMessage {
    template <typename... Args>
    explicit ArrivingMessage(Args&&... args) : receiver(std::forward<Args>(args)...) {}

    Receiver receiver;
    MessageRoom room;
};

}  // namespace sluice
