#include "server/config/limit_rules.h"

namespace sluice {

namespace {

constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;
constexpr uint64_t kLeastMs = 1, kMostMs = 1'000'000'000;

using enum LimitUnit;

// One row for each, which tests/repo/test_limits.py reads.
// clang-format off
constexpr LimitRule kRules[] = {
    {"connections", &Limits::connections, kCount, 1, 1'000'000, "descriptors and the table of connections"},
    {"connectionsPerAddress", &Limits::connections_per_address, kCount, 0, 1'000'000, "one client that takes all"},
    {"connectionsPerAddressPerSecond", &Limits::connections_per_address_per_second, kCount, 0, 1'000'000, "one client that comes again and again"},
    {"arenaBytes", &Limits::arena_bytes, kBytes, kMiB, 64 * kGiB, "memory for what clients send"},
    {"ringBytes", &Limits::ring_bytes, kBytes, 512 * kKiB, 64 * kMiB, "what may wait for one worker"},
    {"outBytes", &Limits::out_bytes, kBytes, kMiB, 64 * kGiB, "memory for what a worker sends"},
    {"lentBytes", &Limits::lent_bytes, kBytes, 0, 64 * kGiB, "a worker that keeps every message"},
    {"messageBytes", &Limits::message_bytes, kBytes, 1, kGiB, "one message that fills the arena"},
    {"bodyBytes", &Limits::body_bytes, kBytes, 0, 1024 * kGiB, "one body that fills the arena or the disk"},
    {"bodyFileBytes", &Limits::body_file_bytes, kBytes, 64 * kKiB, kGiB, "a few bodies that fill the arena"},
    {"temporaryFileBytes", &Limits::temporary_file_bytes, kBytes, 0, 16'384 * kGiB, "a disk that is full"},
    {"bodyStreams", &Limits::body_streams, kCount, 1, 1'000'000, "a pair of descriptors for each body"},
    {"bodyStreamBytes", &Limits::body_stream_bytes, kBytes, 64 * kKiB, 16 * kMiB, "bytes nobody reads"},
    {"headBytes", &Limits::head_bytes, kBytes, 256, 65'535, "a head without end"},
    {"headerFields", &Limits::header_fields, kCount, 1, 1'000, "an index that outgrows its text"},
    {"messageFragments", &Limits::message_fragments, kCount, 1, 1'000'000, "a message in frames without end"},
    {"queuedBytes", &Limits::queued_bytes, kBytes, 64 * kKiB, 4 * kGiB, "a client that does not read"},
    {"highWaterBytes", &Limits::high_water_bytes, kBytes, kKiB, 4 * kGiB, "a fast producer"},
    {"lowWaterBytes", &Limits::low_water_bytes, kBytes, 0, 4 * kGiB, "waking for each byte"},
    {"queuedTotalBytes", &Limits::queued_total_bytes, kBytes, kMiB, 64 * kGiB, "many clients that do not read"},
    {"keepAliveRequests", &Limits::keep_alive_requests, kCount, 1, 1'000'000'000, "a connection that stays for ever"},
    {"formFields", &Limits::form_fields, kCount, 1, 100'000, "arrays that outgrow the form"},
    {"formBytes", &Limits::form_bytes, kBytes, 1024, kGiB, "a field that outgrows PHP's memory"},
    {"partHeadBytes", &Limits::part_head_bytes, kBytes, 256, 65'536, "a part's head without end"},
    {"compressionBytes", &Limits::compression_bytes, kBytes, 0, 64 * kGiB, "a window for each connection"},
    {"encodingBytes", &Limits::encoding_bytes, kBytes, 0, 64 * kGiB, "an encoder for each streamed response"},
    {"accessLogBytes", &Limits::access_log_bytes, kBytes, 4 * kKiB, kGiB, "a disk that does not keep up"},
    {"handshakes", &Limits::handshakes, kCount, 1, 1'000'000, "coroutines that decide on handshakes"},
    {"openFiles", &Limits::open_files, kCount, 1, 1'000'000, "a descriptor for each file being sent"},
    {"subscriptions", &Limits::subscriptions, kCount, 1, 65'535, "a client that subscribes to everything"},
    {"datagrams", &Limits::datagrams, kCount, 1, 1'000'000, "a flood that nobody can be asked to slow down"},
    {"coroutines", &Limits::coroutines, kCount, 1, 1'000'000, "a stack for each handler that waits"},
    {"pooledStacks", &Limits::pooled_stacks, kCount, 0, 1'000'000, "stacks kept after a rush"},
    {"concurrentStreams", &Limits::concurrent_streams, kCount, 1, 10'000, "streams of one connection"},
    {"streamResets", &Limits::stream_resets, kCount, 1, 1'000'000, "requests begun only to be reset"},
    {"pings", &Limits::pings, kCount, 1, 1'000'000, "pings that want answers"},
    {"settingsFrames", &Limits::settings_frames, kCount, 1, 1'000'000, "settings that want answers"},
    {"emptyFrames", &Limits::empty_frames, kCount, 1, 1'000'000, "frames that only cost time"},
    {"continuations", &Limits::continuations, kCount, 1, 7, "a head that never ends"},
    {"handshakeSeconds", &Limits::handshake_ms, kSeconds, kLeastMs, kMostMs, "a TLS client that stops"},
    {"headSeconds", &Limits::head_ms, kSeconds, kLeastMs, kMostMs, "a head that comes by the byte"},
    {"bodySeconds", &Limits::body_ms, kSeconds, kLeastMs, kMostMs, "a body that stops"},
    {"bodyBytesPerSecond", &Limits::body_bytes_per_second, kBytesPerSecond, 0, kGiB, "a body that drips"},
    {"writeSeconds", &Limits::write_ms, kSeconds, kLeastMs, kMostMs, "a client that stops reading"},
    {"writeBytesPerSecond", &Limits::write_bytes_per_second, kBytesPerSecond, 0, kGiB, "a client that sips"},
    {"keepAliveSeconds", &Limits::keep_alive_ms, kSeconds, kLeastMs, kMostMs, "connections nobody uses"},
    {"idleSeconds", &Limits::idle_ms, kSeconds, 0, kMostMs, "peers that have vanished"},
    {"closeSeconds", &Limits::close_ms, kSeconds, kLeastMs, kMostMs, "a close that is not answered"},
    {"shutdownSeconds", &Limits::shutdown_ms, kSeconds, kLeastMs, kMostMs, "a stop that never ends"},
    {"bootSeconds", &Limits::boot_ms, kSeconds, kLeastMs, kMostMs, "a start that never ends"},
    {"requestSeconds", &Limits::request_ms, kSeconds, 0, kMostMs, "a handler that never answers"},
    {"stallSeconds", &Limits::stall_ms, kSeconds, 0, kMostMs, "a call that holds a worker, unknown to all"},
    {"killSeconds", &Limits::kill_ms, kSeconds, 0, kMostMs, "a call that holds a worker for ever"},
};
// clang-format on

}  // namespace

void LimitRule::write(Limits& limits, uint64_t value) const {
    if (auto* place = std::get_if<uint32_t Limits::*>(&member)) {
        limits.** place = static_cast<uint32_t>(value);
    } else {
        limits.*std::get<uint64_t Limits::*>(member) = value;
    }
}

std::span<const LimitRule> limit_rules() {
    return kRules;
}

}  // namespace sluice
