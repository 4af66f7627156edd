// A worker may write any bytes into its ring and its out-arena: the reactor's side executes a command or
// refuses it, and touches no memory outside of the two.
#include "server/seam/command_inlet.h"

#include <vector>

#include "core/page_arena.h"
#include "fuzz_input.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr size_t kRing = 1024, kArena = 4 * PageArena::kPageSize;
    fuzz::Input input(data, size);
    RingHeader header{};
    const std::unique_ptr<char[]> ring(new char[kRing]());
    const std::unique_ptr<char[]> arena(new char[kArena]());
    std::vector<Ref<Payload>> kept;
    {
        FdChannel ours, theirs;
        fuzz::require(FdChannel::create_pair(ours, theirs), "no sockets");
        CommandInlet inlet(RingConsumer(&header, ring.get(), kRing), {arena.get(), kArena}, std::move(ours));
        uint64_t produced = 0, now_ms = 1, files = 0;
        bool alive = true;
        while (alive && !input.rest().empty()) {
            // What a worker can do between two turns of the reactor, or what the reactor does in one.
            const uint8_t choice = input.byte();
            if ((choice & 192) == 192) {
                switch (choice & 7) {
                    case 0: theirs.send(input.byte(), 0); break;
                    case 1: theirs.send(files++, 0); break;
                    case 2: {
                        CommandInlet moved(std::move(inlet));
                        inlet = std::move(moved);
                        break;
                    }
                    case 3: kept.clear(); break;
                    case 4: now_ms += CommandInlet::kSlowMs; [[fallthrough]];
                    default: {
                        size_t budget = input.byte() * 16u;
                        const size_t allowed = budget;
                        const int wait_ms = inlet.relieve(now_ms++, budget);
                        fuzz::require(budget <= allowed, "relieve() moved more bytes than its budget");
                        fuzz::require(wait_ms <= static_cast<int>(CommandInlet::kSlowMs),
                                      "relieve() asks to be called too late");
                    }
                }
                continue;
            }
            const size_t place = input.byte() * 8 % kRing;
            const std::string_view bytes = input.take(choice & 63);
            if (choice & 64) {
                std::memcpy(ring.get() + place, bytes.data(), std::min(bytes.size(), kRing - place));
            } else if (choice & 128) {
                std::memcpy(arena.get() + place * 4, bytes.data(), bytes.size());
            } else {
                produced += input.byte() * 8;
                header.produced.store(choice & 32 ? produced : input.word());
            }
            alive = inlet.pump(
                [&](const Command& command, Ref<Payload> payload) {
                    // Reads each byte of the command, so that the sanitiser checks it.
                    std::string copy(command_record_bytes(command, false), '\0');
                    write_command(copy.data(), command, false, 0);
                    if (payload && kept.size() < 50) kept.push_back(std::move(payload));
                    return true;
                },
                [](const Note&) { return true; });
        }
        inlet.detach();
    }
    size_t sum = 0;
    for (const Ref<Payload>& payload : kept) {
        for (size_t i = 0; i < payload->size(); ++i)
            sum += static_cast<uint8_t>(payload->data()[i]);
    }
    return sum == size_t(-1) ? -1 : 0;
}
