#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "protocol/http/http_head.h"

namespace sluice {

/// A histogram of times in shared memory. One process writes it, and any may read it.
struct alignas(64) HistogramCell {
    /// Upper bounds of the buckets, inclusive; what is longer counts in the last one. OpenTelemetry's for
    /// HTTP, so that dashboards fit.
    static constexpr std::array<uint32_t, 14> kBoundsUs = {
        5'000,   10'000,  25'000,    50'000,    75'000,    100'000,   250'000,
        500'000, 750'000, 1'000'000, 2'500'000, 5'000'000, 7'500'000, 10'000'000};
    static constexpr size_t kBuckets = kBoundsUs.size() + 1;

    std::atomic<uint64_t> counts[kBuckets];
    std::atomic<uint64_t> sum_us;

    static constexpr size_t bucket_of(uint64_t us) {
        size_t bucket = 0;
        while (bucket < kBoundsUs.size() && us > kBoundsUs[bucket])
            ++bucket;
        return bucket;
    }
    void observe(uint64_t us) {
        add(counts[bucket_of(us)], 1);
        add(sum_us, us);
    }

    /// Nobody else writes the counter: an atomic addition would lock the cache line for nothing.
    static void add(std::atomic<uint64_t>& counter, uint64_t value) {
        counter.store(counter.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
    }
};
static_assert(sizeof(HistogramCell) == 128);

/// Endpoints that have cells of their own; all others of the server share the last cells. So the series of
/// the metrics stay bounded however often routes come and go with reloads.
inline constexpr size_t kMeasuredEndpoints = 256;
constexpr size_t measured_place(size_t endpoint) {
    return endpoint < kMeasuredEndpoints ? endpoint : kMeasuredEndpoints;
}

/// What one reactor counts of the answers to requests: by endpoint, method and class of the status, and in
/// each by the time to the first byte.
struct RequestCells {
    static constexpr size_t kMethods = static_cast<size_t>(http::Method::kOther) + 1, kClasses = 5;
    static constexpr size_t kSeries = kMethods * kClasses;
    static_assert(kSeries <= 64);

    /// For each place the series that have begun, so that nobody reads, and so allocates, the others.
    std::atomic<uint64_t> begun[kMeasuredEndpoints + 1];
    HistogramCell cells[kMeasuredEndpoints + 1][kSeries];

    static constexpr size_t series_of(http::Method method, uint16_t status) {
        return static_cast<size_t>(method) * kClasses + status / 100u - 1;
    }
    static constexpr http::Method method_of(size_t series) {
        return static_cast<http::Method>(series / kClasses);
    }
    static constexpr unsigned class_of(size_t series) { return static_cast<unsigned>(series % kClasses + 1); }

    /// `status`: 100 to 599.
    void observe(uint16_t endpoint, http::Method method, uint16_t status, uint64_t first_byte_us) {
        const size_t place = measured_place(endpoint), series = series_of(method, status);
        const uint64_t known = begun[place].load(std::memory_order_relaxed);
        if (!(known >> series & 1))
            begun[place].store(known | uint64_t{1} << series, std::memory_order_relaxed);
        cells[place][series].observe(first_byte_us);
    }
};

/// What one worker slot counts of the handlers of requests: what each request has waited for its handler, and
/// how long that ran.
struct HandlerCells {
    std::atomic<bool> begun[kMeasuredEndpoints + 1];
    struct {
        HistogramCell waited;
        HistogramCell ran;
    } cells[kMeasuredEndpoints + 1];

    void observe(uint16_t endpoint, uint64_t waited_us, uint64_t ran_us) {
        const size_t place = measured_place(endpoint);
        if (!begun[place].load(std::memory_order_relaxed))
            begun[place].store(true, std::memory_order_relaxed);
        cells[place].waited.observe(waited_us);
        cells[place].ran.observe(ran_us);
    }
};

}  // namespace sluice
