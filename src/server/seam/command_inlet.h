#pragma once

#include <memory>
#include <span>

#include "io/fd_channel.h"
#include "server/seam/payload.h"
#include "server/seam/records.h"

namespace sluice {

/// Takes one worker's commands out of its ring, and validates everything there.
class CommandInlet {
  public:
    CommandInlet() = default;
    /// `out_arena`: where the worker's big payloads stand; `files`: the channel of its descriptors, empty
    /// when it may send none.
    CommandInlet(RingConsumer ring, std::span<char> out_arena, FdChannel files = {});
    CommandInlet(CommandInlet&&) noexcept;
    CommandInlet& operator=(CommandInlet&&) noexcept;
    ~CommandInlet();

    /// Whether there is nothing to take. After an invalid record it stays true.
    bool empty() const { return broken_ || ring_.empty(); }

    /// The worker has died: publishes the complete records that it had not published.
    void say_the_rest() { ring_.commit_for_producer(); }

    /// Calls `handle(const Command&, Ref<Payload>)` and `hear(const Note&)` for up to kCommandsPerTurn
    /// records. The payload is set when it stands in the out-arena, and may be kept; a file is open only
    /// during the call. False when a record is invalid, or a callback returns false: then nothing more is
    /// ever taken.
    template <typename Handle, typename Hear>
    bool pump(Handle handle, Hear hear) {
        if (!broken_) broken_ = !take_turn(handle, hear);
        return !broken_;
    }

    /// Sends a descriptor to the worker: see FdChannel::send.
    bool send_file(uint64_t number, int fd) { return files_.send(number, fd); }

    /// The worker has died: copies payloads that are still referred to, for its out-arena goes to a
    /// successor, and closes the channel of its descriptors.
    void detach();

    /// Once per turn: copies payloads of slow clients, so that the worker's out-arena has room: payloads that
    /// have stood there for kSlowMs, and the oldest ones when they fill too much of it. Copies up to `budget`
    /// bytes, and subtracts them from it. Returns in how many milliseconds to call it again; -1: not before
    /// another event.
    int relieve(uint64_t now_ms, size_t& budget);

    static constexpr uint64_t kSlowMs = 50;
    /// Payloads that were not sent within a turn may fill this part of the arena.
    static constexpr size_t kLingeringPart = 4;

  private:
    /// Limit of one turn, so that a worker with endless commands cannot starve the clients.
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
    /// A list of payloads that stand in the arena.
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
