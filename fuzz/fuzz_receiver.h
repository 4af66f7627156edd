#pragma once

#include "fuzz_input.h"

namespace sluice::fuzz {

/// Gives `bytes` to a receiver as a session does, in pieces made by `cuts`; with `use_window`, bytes go
/// straight into the receiver's room whenever it has a window. `describe(receiver, event)` returns a text for
/// each event, or an empty one to end. `other(receiver, event)` handles events that only this receiver has,
/// and returns whether it did. Returns all texts, one a line.
template <typename Event, typename Receiver, typename Describe, typename Other>
std::string drive(Receiver& receiver, std::string_view bytes, Cuts cuts, bool use_window, Describe describe,
                  Other other) {
    std::string trace;
    std::unique_ptr<char[]> room, spent;
    bool dead = false;
    const auto take_events = [&](std::span<char> input) {
        while (!dead) {
            const Event event = receiver.next(input);
            if (event == Event::kNeedInput) {
                require(input.empty(), "the receiver asks for more input, but has left some");
                return;
            }
            if (event == Event::kNeedRoom) {
                const size_t size = receiver.needed(), kept = receiver.filled_bytes();
                require(size > receiver.room().size || receiver.room().data == nullptr,
                        "the receiver asks for no more room than it has");
                require(kept <= size, "the receiver asks for less room than it has filled");
                auto bigger = std::make_unique<char[]>(size);
                if (kept != 0) std::memcpy(bigger.get(), receiver.room().data, kept);
                room = std::move(bigger);
                receiver.grant({room.get(), size});
                continue;
            }
            if (other(receiver, event)) continue;
            const std::string what = describe(receiver, event);
            if (what.empty()) {
                dead = true;
                return;
            }
            trace += what;
            trace += '\n';
            // The receiver is done with its room; its message may be looked at until the next event.
            if (receiver.in_room()) spent = std::move(room);
        }
    };
    while (!bytes.empty() && !dead) {
        const std::string_view piece = bytes.substr(0, cuts.next(bytes.size()));
        const std::span<char> window = receiver.window();
        if (use_window && !window.empty()) {
            const size_t size = std::min(window.size(), piece.size());
            std::memcpy(window.data(), piece.data(), size);
            receiver.filled(size);
            bytes.remove_prefix(size);
            if (receiver.window().empty()) take_events({});
            continue;
        }
        Block block(piece);
        bytes.remove_prefix(piece.size());
        take_events(block.span());
    }
    return trace;
}

}  // namespace sluice::fuzz
