#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

enum class MetricKind : uint8_t { kCounter, kGauge, kHistogram };

/// What an application says of a metric. The texts are checked already.
struct MetricDefinition {
    MetricKind kind = MetricKind::kCounter;
    std::string_view name;  ///< of a counter without `_total`
    std::string_view help;
    std::span<const std::string_view> labels;
    std::span<const double> bounds;  ///< of a histogram's buckets, ascending; beyond the last is one more
    uint32_t most_series = 1000;     ///< sets of label values
};

/// A metric, and one of its sets of label values, in the registry's memory.
struct Metric;
struct MetricSeries;

/// What a series was at one time.
struct SeriesFigures {
    std::vector<std::string> values;  ///< of the labels
    uint64_t whole = 0;               ///< of a counter: the sum of what was added as ints
    double real = 0;                  ///< the rest of a counter, a gauge's value, a histogram's sum
    std::vector<uint64_t> buckets;    ///< of a histogram, each without those before it
};

struct MetricFigures {
    MetricKind kind = MetricKind::kCounter;
    std::string name, help;
    std::vector<std::string> labels;
    std::vector<double> bounds;
    std::vector<SeriesFigures> series;  ///< by their values
};

/// The application's own metrics, in memory that all processes of a server share; each of them declares
/// metrics and counts. A count is one atomic addition, so nothing is lost when a process is killed; only a
/// histogram takes two. A lock is taken for a new metric or a new set of label values. Both are written where
/// nobody looks, and published by one store: who is killed meanwhile leaves some unused bytes.
///
/// Any process of the server may write anything here. Whoever reads checks each offset.
class MetricRegistry {
  public:
    static constexpr size_t kBytes = 4 << 20;
    static constexpr size_t kMostMetrics = 256, kMostLabels = 16, kMostBounds = 64;
    static constexpr size_t kMostNameBytes = 128, kMostHelpBytes = 255, kMostValueBytes = 255;
    static constexpr uint32_t kMostSeries = 10'000;
    /// What each label of the last series says, which counts for all sets of values that find no room.
    static constexpr std::string_view kOverflow = "_other";
    /// As a named memory. Applications cannot choose such a name.
    static constexpr std::string_view kMemoryName = "/metrics";

    /// Of this process, and of all that it forks from now on. False (`operator bool`): the system gives no
    /// memory; errno.
    static MetricRegistry& of_this_process();
    /// The number of this process's boot of the script: later ones may declare a metric differently.
    static void set_generation(uint32_t generation);

    MetricRegistry() = default;
    /// Makes an empty registry, once, of zeroed memory.
    static MetricRegistry format(std::span<char> memory);
    static MetricRegistry attach(std::span<char> memory);

    explicit operator bool() const { return !memory_.empty(); }

    enum class Outcome : uint8_t {
        kDone,
        kOther,    ///< this boot, or a later one, has a metric of that name with another type, labels or
                   ///< buckets
        kTooMany,  ///< kMostMetrics
        kFull,
        kStuck,  ///< the lock's holder has been stopped by a signal
    };
    struct Declared {
        Outcome outcome = Outcome::kDone;
        Metric* metric = nullptr;
    };
    /// The metric of this name; a new one, which begins with 0, when the boots before had another one.
    Declared declare(const MetricDefinition& definition, uint32_t generation) const;
    Declared declare(const MetricDefinition& definition) const;

    struct Chosen {
        MetricSeries* series = nullptr;  ///< never nullptr
        bool is_first_overflow = false;  ///< the first that the metric has no room for
    };
    /// As many values as the metric has labels.
    Chosen series(Metric& metric, std::span<const std::string_view> values) const;

    // Of any process, at any time.
    static void count(MetricSeries& series, uint64_t by);
    static void add(MetricSeries& series, double by);
    static void set(MetricSeries& series, double value);
    static void observe(const Metric& metric, MetricSeries& series, double value);
    static uint64_t whole(const MetricSeries& series);
    static double real(const MetricSeries& series);
    static uint64_t observations(const Metric& metric, const MetricSeries& series);

    static MetricKind kind_of(const Metric& metric);
    static std::string_view name_of(const Metric& metric);
    static size_t labels_of(const Metric& metric);
    /// The name of a label.
    static std::string_view label_of(const Metric& metric, size_t index);
    static uint32_t most_series_of(const Metric& metric);

    /// All metrics, by name; without those that boots after `generation` have declared.
    std::vector<MetricFigures> figures(uint32_t generation) const;
    struct Usage {
        size_t series = 0;
        size_t bytes = 0;        ///< of kBytes
        uint64_t overflows = 0;  ///< how often a set of values has found no room
    };
    Usage usage() const;

  private:
    struct Header;
    class Lock;

    Header& header() const;
    template <typename T>
    T* at(uint32_t offset) const;
    uint32_t offset_of(const void* place) const;
    char* take(size_t bytes) const;
    Metric* find(std::string_view name) const;
    MetricSeries* find(uint32_t metric, uint64_t hash, std::string_view text) const;
    MetricSeries* make_series(Metric& metric, std::string_view text) const;
    SeriesFigures figures_of(const Metric& metric, const MetricSeries& series) const;
    MetricFigures figures_of(const Metric& metric) const;

    std::span<char> memory_;
};

}  // namespace sluice
