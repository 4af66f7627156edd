#pragma once

#include <string_view>
#include <utility>

#include "server/sessions/message_room.h"

namespace sluice {

/// What clients are told whose unfinished message has to make room for others (Reclaiming::free_arena).
inline constexpr std::string_view kNoRoomSentence =
    "the server has no memory for the rest of this message, try again later (arenaBytes)";

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
