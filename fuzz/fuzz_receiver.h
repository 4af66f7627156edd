#pragma once

#include "fuzz_input.h"

namespace sluice::fuzz {

/// Drives a receiver as a connection would, with input cut by `cuts` and through its window when
/// `use_window`, and returns all that came out: `describe(receiver, event)` for each event, until it says
/// that this was the last by an empty string. `other(receiver, event)`: true when it has dealt with an event
/// that not all receivers have.
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
                require(input.empty(), "input was left although more is wanted");
                return;
            }
            if (event == Event::kNeedRoom) {
                const size_t size = receiver.needed(), kept = receiver.filled_bytes();
                require(size > receiver.room().size || receiver.room().data == nullptr, "room must grow");
                require(kept <= size, "room must hold what is there");
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
            if (event == Event::kMessage || receiver.in_room()) {
                if (receiver.in_room()) spent = std::move(room);
            }
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
