// A worker that writes anything at all into its ring and out-arena is refused or served, never trusted.
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
        CommandInlet inlet(RingConsumer(&header, ring.get(), kRing), {arena.get(), kArena});
        uint64_t produced = 0;
        bool alive = true;
        while (alive && !input.rest().empty()) {
            // What a worker could do between two looks of the reactor.
            const uint8_t choice = input.byte();
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
                    // Touches every byte.
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
