#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "protocol/http/http_head.h"

namespace sluice {

/// What is noted of one request that was slow, has failed, or is traced: its timeline.
struct RequestRecord {
    static constexpr size_t kMostWaits = 12;
    static constexpr uint8_t kSampled = 1, kCancelled = 2;

    /// Text that ends with its array, or with a NUL before.
    template <size_t N>
    struct Text {
        char bytes[N];

        void set(std::string_view text) {
            text = text.substr(0, N);
            if (!text.empty()) memcpy(bytes, text.data(), text.size());
            if (text.size() < N) bytes[text.size()] = '\0';
        }
        std::string_view view() const { return {bytes, strnlen(bytes, N)}; }
    };
    /// A suspension of the handler, or of a coroutine that works for it.
    struct Wait {
        uint32_t begun_us;  ///< since the handler began
        uint32_t us;
        Text<12> kind;    ///< `mysql`, `curl`, `lock` …; empty: not known
        Text<52> target;  ///< a peer's address, or the name of a lock
        Text<120> query;  ///< SQL without its literals
    };

    uint64_t trace_high, trace_low, span;
    uint64_t parent_span;     ///< 0: the trace begins with the request
    uint64_t at_us;           ///< since 1970: when nothing but a worker was missing
    uint64_t body_bytes;      ///< of the response, as the handler has sent it
    uint32_t waited_us;       ///< for its handler
    uint32_t ran_us;          ///< its handler
    uint32_t first_byte_us;   ///< from `at_us` to the head of the response; 0: the handler has sent none
    uint32_t suspended_us;    ///< of `ran_us`, in which the handler itself was suspended
    uint32_t waits_left_out;  ///< that were longer than kLeastWaitUs, and have no room below
    uint16_t endpoint;
    uint16_t status;  ///< 0: the handler has not answered
    uint16_t worker;
    uint8_t method;  ///< of http::Method
    uint8_t flags;
    uint8_t waits_noted;
    Text<200> path;  ///< without the query
    Wait waits[kMostWaits];

    /// Shorter suspensions are not worth a look at what they are for.
    static constexpr uint64_t kLeastWaitUs = 500;

    uint64_t total_us() const { return uint64_t{waited_us} + ran_us; }
};
static_assert(std::is_trivially_copyable_v<RequestRecord>);

/// A record in shared memory: one process writes it, and any may read it.
struct alignas(64) RequestCell {
    std::atomic<uint32_t> version;  ///< odd while it is written; 0: never
    RequestRecord record;

    void write(const RequestRecord& from) {
        const uint32_t before = version.load(std::memory_order_relaxed) & ~1u;
        version.store(before + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        memcpy(&record, &from, sizeof record);
        version.store(before + 2, std::memory_order_release);
    }
    /// False: it is empty, or is being written.
    bool read(RequestRecord& to) const {
        const uint32_t before = version.load(std::memory_order_acquire);
        if (before == 0 || before & 1) return false;
        memcpy(&to, &record, sizeof to);
        std::atomic_thread_fence(std::memory_order_acquire);
        return version.load(std::memory_order_relaxed) == before;
    }
};

/// What one worker slot has noted of requests.
struct RequestBoard {
    static constexpr size_t kSlow = 16, kFailed = 16, kTraced = 64;

    /// Cells that were ever written, so that nobody reads, and so allocates, the others.
    std::atomic<uint32_t> slow_begun, failed_begun;
    std::atomic<uint64_t> traced_put;      ///< into `traced`, in turn, since the server began
    std::atomic<uint64_t> traced_taken;    ///< by the observer
    /// As the observer had not taken what was there, or the collector not what the observer has sent.
    std::atomic<uint64_t> traced_dropped;
    RequestCell slow[kSlow];               ///< the slowest of the last RequestRecorder::kKeptUs
    RequestCell failed[kFailed];           ///< the last that were answered with 5xx
    RequestCell traced[kTraced];
};

}  // namespace sluice
