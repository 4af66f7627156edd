#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

/// Chosen at random for each server, so that its ids differ from those of others.
struct TraceKey {
    uint64_t high = 0, low = 0;
};

/// The ids of W3C Trace Context: 16 bytes of a trace, 8 bytes of a span, neither all zero.
struct TraceIds {
    uint64_t high = 0, low = 0;  ///< the trace
    uint64_t span = 0;

    /// The ids of a request that brings none, from what both the reactor and the worker know: so nothing of
    /// them travels or is stored, and they cost nothing where nobody asks.
    static TraceIds of(const TraceKey& key, uint64_t connection, uint32_t number) {
        TraceIds ids;
        ids.high = mix(mix(connection ^ key.high) + number * 0x9e3779b97f4a7c15);
        ids.low = mix(mix(connection ^ key.low) + number * 0xd1342543de82ef95);
        ids.span = mix(ids.high + ids.low);
        if ((ids.high | ids.low) == 0) ids.low = 1;
        if (ids.span == 0) ids.span = 1;
        return ids;
    }
    /// Another span of the same trace; `index` tells several of one request apart.
    uint64_t span_below(uint32_t index) const {
        const uint64_t below = mix(span + (index + 1) * 0x9e3779b97f4a7c15);
        return below ? below : 1;
    }

    bool operator==(const TraceIds&) const = default;

  private:
    /// The finalizer of splitmix64: one to one, and each bit of the input changes half of the output.
    static constexpr uint64_t mix(uint64_t bits) {
        bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
        return bits ^ bits >> 31;
    }
};

/// An id as it is written: 16 hexadecimal digits in lower case for each number.
inline void write_hex(char* to, uint64_t number) {
    for (int digit = 0; digit < 16; ++digit)
        to[digit] = "0123456789abcdef"[number >> (60 - 4 * digit) & 15];
}

/// The ids as text, without memory of the heap.
struct TraceText {
    std::array<char, 32> trace_digits;
    std::array<char, 16> span_digits;

    explicit TraceText(const TraceIds& ids) {
        write_hex(trace_digits.data(), ids.high);
        write_hex(trace_digits.data() + 16, ids.low);
        write_hex(span_digits.data(), ids.span);
    }
    std::string_view trace() const { return {trace_digits.data(), trace_digits.size()}; }
    std::string_view span() const { return {span_digits.data(), span_digits.size()}; }
};

}  // namespace sluice
