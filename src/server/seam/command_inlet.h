#pragma once

#include <memory>
#include <span>

#include "io/fd_channel.h"
#include "server/seam/payload.h"
#include "server/seam/records.h"

namespace sluice {

/// Takes the commands of one worker out of its ring, trusting nothing that stands there.
class CommandInlet {
  public:
    CommandInlet() = default;
    /// `out_arena`: where the worker's big payloads stand; `files`: where the descriptors come from that it
    /// speaks of, none when it may speak of none.
    CommandInlet(RingConsumer ring, std::span<char> out_arena, FdChannel files = {});
    CommandInlet(CommandInlet&&) noexcept;
    CommandInlet& operator=(CommandInlet&&) noexcept;
    ~CommandInlet();

    /// Whether there is nothing to take; after something invalid there never is.
    bool empty() const { return broken_ || ring_.empty(); }

    /// The worker has died: what it had written, and had not got round to saying, is said.
    void say_the_rest() { ring_.commit_for_producer(); }

    /// Calls `handle(const Command&, Ref<Payload>)` and `hear(const Note&)` for what has come, up to a bound.
    /// The payload is set when that of the command stands in the out-arena, and may be kept; a file is open
    /// during the call. False when the worker, or one of those called, finds something invalid: nothing is
    /// taken any more then.
    template <typename Handle, typename Hear>
    bool pump(Handle handle, Hear hear) {
        if (!broken_) broken_ = !take_turn(handle, hear);
        return !broken_;
    }

    /// The other way: see FdChannel::send.
    bool send_file(uint64_t number, int fd) { return files_.send(number, fd); }

    /// The worker has died: payloads that somebody still refers to are copied, for its out-arena goes to a
    /// successor.
    void detach();

    /// Once per turn: copies payloads whose clients are slow, so that a worker's out-arena is for what is on
    /// its way: those that have stood there for kSlowMs, and the oldest ones when they fill too much of it.
    /// Copies up to `budget` bytes, which shrinks by them. Returns in how many milliseconds it wants to be
    /// called again; -1: when something else has happened.
    int relieve(uint64_t now_ms, size_t& budget);

    static constexpr uint64_t kSlowMs = 50;
    /// This part of the arena may be taken by what clients have not taken within a turn.
    static constexpr size_t kLingeringPart = 4;

  private:
    /// Taken in one turn, so that a worker that never stops talking cannot starve the clients.
    static constexpr int kCommandsPerTurn = 4096;

    template <typename Handle, typename Hear>
    bool take_turn(Handle& handle, Hear& hear) {
        for (int i = 0; i < kCommandsPerTurn; ++i) {
            uint16_t kind = 0;
            std::span<char> record = ring_.take(kind);
            if (record.empty()) break;
            if (is_note(kind)) {
                const std::optional<Note> note = read_note(record, kind);
                if (!note || !hear(*note)) return false;
                continue;
            }
            std::optional<DecodedCommand> decoded = read_command(record, kind);
            if (!decoded) return false;
            Command& command = decoded->command;
            Ref<Payload> payload;
            if (decoded->extent) {
                payload = borrow(*decoded);
                if (!payload) return false;
                command.payload = {payload->data(), payload->size()};
            }
            UniqueFd file;
            if (command.file()) {
                if (!take_file(decoded->number, file)) return false;
                command.file()->fd = file.get();
            }
            if (!handle(command, std::move(payload))) return false;
        }
        ring_.free_until(ring_.position());
        return !ring_.corrupt();
    }

    class ExtentPayload;
    /// Payloads that stand in the arena.
    struct List {
        ExtentPayload* newest = nullptr;
        ExtentPayload* oldest = nullptr;
        size_t bytes = 0;
    };
    Ref<Payload> borrow(const DecodedCommand& decoded);
    bool take_file(uint64_t number, UniqueFd& file);

    RingConsumer ring_;
    std::span<char> out_arena_;
    FdChannel files_;
    uint64_t files_taken_ = 0;
    std::unique_ptr<List> payloads_;
    bool broken_ = false;
};

}  // namespace sluice
