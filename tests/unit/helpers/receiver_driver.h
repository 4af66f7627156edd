#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/room.h"

namespace sluice::test {

using Trace = std::vector<std::string>;

/// Drives a receiver as a connection would, with every piece of input and every room in a heap block of
/// exactly its size, so that the sanitiser sees any byte touched too far. What happens is written down as a
/// trace.
template <typename Receiver, typename Event>
class ReceiverDriver {
  public:
    using Describe = std::string (*)(const Receiver&, Event);

    ReceiverDriver(Receiver receiver, Describe describe, bool use_window)
        : receiver_(std::move(receiver)), describe_(describe), use_window_(use_window) {}

    void feed(std::string_view bytes) {
        while (!bytes.empty() && !dead_) {
            const std::span<char> window = receiver_.window();
            if (!use_window_ || window.empty()) break;
            const size_t taken = std::min(window.size(), bytes.size());
            std::memcpy(window.data(), bytes.data(), taken);
            receiver_.filled(taken);
            bytes.remove_prefix(taken);
            if (receiver_.window().empty()) take_events({});
        }
        if (bytes.empty() || dead_) return;
        auto piece = std::make_unique<char[]>(bytes.size());
        std::memcpy(piece.get(), bytes.data(), bytes.size());
        take_events({piece.get(), bytes.size()});
    }

    /// Answers kNeedInflater, which not all receivers have.
    std::function<void(Receiver&)> lend;
    std::function<void(Receiver&)> after_message;
    /// How much longer a room may be than what has come; at least as long as what must come in one piece.
    size_t step = SIZE_MAX;

    const Trace& trace() const { return trace_; }
    Receiver& receiver() { return receiver_; }
    size_t rooms_given() const { return rooms_given_; }
    size_t bytes_copied() const { return bytes_copied_; }
    size_t in_place() const { return in_place_; }
    bool holds_room() const { return room_ != nullptr; }

  private:
    void take_events(std::span<char> input) {
        for (;;) {
            const Event event = receiver_.next(input);
            if (event == Event::kNeedInput) {
                EXPECT_TRUE(input.empty()) << "input was left although more is wanted";
                if (!receiver_.in_message() && !room_borrowed()) {
                    EXPECT_FALSE(holds_room()) << "the receiver is idle and holds room";
                }
                return;
            }
            if (event == Event::kNeedRoom) {
                give_room(input.size());
                continue;
            }
            if constexpr (requires { Event::kNeedInflater; }) {
                if (event == Event::kNeedInflater) {
                    lend(receiver_);
                    continue;
                }
            }
            trace_.push_back(describe_(receiver_, event));
            if (event == Event::kMessage && after_message) after_message(receiver_);
            if (event == Event::kError) {
                dead_ = true;
                EXPECT_TRUE(receiver_.window().empty());
                EXPECT_EQ(receiver_.next(), Event::kError) << "an error must last";
                return;
            }
            if (receiver_.in_room()) {
                EXPECT_EQ(receiver_.room().data, room_.get());
                spent_ =
                    std::move(room_);  // freed with the next message: the test may still look at this one
            } else {
                ++in_place_;
            }
        }
    }

    /// A control frame of which a part has arrived holds room without there being a message.
    bool room_borrowed() { return receiver_.room().data != nullptr && !receiver_.window().empty(); }

    void give_room(size_t arrived) {
        const size_t kept = receiver_.filled_bytes();
        const size_t enough = step == SIZE_MAX ? step : kept + arrived + step;
        const size_t size = std::min(receiver_.needed(), enough);
        ASSERT_GT(size, receiver_.room().size);
        ASSERT_LE(kept, size);
        auto bigger = std::make_unique<char[]>(size);
        if (kept != 0) std::memcpy(bigger.get(), receiver_.room().data, kept);
        room_ = std::move(bigger);
        receiver_.grant({room_.get(), size});
        ++rooms_given_;
        bytes_copied_ += kept;
    }

    Receiver receiver_;
    Describe describe_;
    bool use_window_;
    bool dead_ = false;
    Trace trace_;
    std::unique_ptr<char[]> room_;
    std::unique_ptr<char[]> spent_;
    size_t rooms_given_ = 0;
    size_t bytes_copied_ = 0;
    size_t in_place_ = 0;
};

/// Feeds `bytes` whole, cut once at every place, and byte by byte, through the input and through the window,
/// to drivers made by `make(use_window)`; all must have the trace `expected`.
template <typename Make>
void expect_trace_however_cut(std::string_view bytes, const Trace& expected, Make make) {
    for (bool use_window : {false, true}) {
        const char* path = use_window ? "through the window" : "through the input";
        for (size_t cut = 0; cut < bytes.size(); ++cut) {
            auto driver = make(use_window);
            driver.feed(bytes.substr(0, cut));
            driver.feed(bytes.substr(cut));
            ASSERT_EQ(driver.trace(), expected) << "cut at " << cut << " of " << bytes.size() << ", " << path;
        }
        auto driver = make(use_window);
        for (size_t i = 0; i < bytes.size(); ++i) {
            driver.feed(bytes.substr(i, 1));
        }
        ASSERT_EQ(driver.trace(), expected) << "byte by byte, " << path;
    }
}

}  // namespace sluice::test
