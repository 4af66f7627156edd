#include "shared/metric_registry.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <sys/random.h>

#include "shared/named_memories.h"
#include "shared/robust_mutex.h"

namespace sluice {

namespace {

constexpr size_t kHeads = 4096;
/// Ends each value in the text of a series: no byte of UTF-8.
constexpr char kEnd = '\xff';
constexpr size_t kAlign = 8;
constexpr size_t round_up(size_t bytes) {
    return (bytes + kAlign - 1) & ~(kAlign - 1);
}
/// The layout of the memory. A reload with another version of the extension begins with an empty one.
constexpr std::string_view kShape = "metrics 1";

uint32_t own_generation = 1;

}  // namespace

/// Behind it are `bounds` doubles, and the text: the name and the labels, each ended by kEnd.
struct alignas(kAlign) Metric {
    std::atomic<uint32_t> next;  ///< declared before this one
    uint32_t text_bytes;
    uint32_t since;                    ///< the boot that has made it
    std::atomic<uint32_t> generation;  ///< the last boot that has declared it
    std::atomic<uint32_t> most_series;
    std::atomic<uint32_t> series;
    uint32_t overflow;  ///< the series for what finds no room
    std::atomic<uint32_t> overflows;
    MetricKind kind;
    uint8_t labels;
    uint8_t bounds;
    char help[MetricRegistry::kMostHelpBytes + 1];

    const double* bounds_at() const { return reinterpret_cast<const double*>(this + 1); }
    double* bounds_at() { return reinterpret_cast<double*>(this + 1); }
    const char* text_at() const { return reinterpret_cast<const char*>(bounds_at() + bounds); }
    size_t bytes() const { return sizeof(Metric) + bounds * sizeof(double) + text_bytes; }
    size_t buckets() const { return kind == MetricKind::kHistogram ? bounds + size_t{1} : 0; }
    std::string_view text() const { return {text_at(), text_bytes}; }
};

/// Behind it are the buckets of a histogram, and the text: each value ended by kEnd.
struct alignas(kAlign) MetricSeries {
    std::atomic<uint32_t> next;  ///< with the same place in the table
    uint32_t metric;
    uint64_t hash;
    uint32_t text_bytes;
    std::atomic<uint64_t> whole;
    std::atomic<double> real;

    std::atomic<uint64_t>* buckets() { return reinterpret_cast<std::atomic<uint64_t>*>(this + 1); }
    const std::atomic<uint64_t>* buckets() const {
        return reinterpret_cast<const std::atomic<uint64_t>*>(this + 1);
    }
    std::string_view text(size_t behind) const {
        return {reinterpret_cast<const char*>(buckets() + behind), text_bytes};
    }
};
static_assert(alignof(Metric) <= kAlign && sizeof(Metric) % kAlign == 0);
static_assert(alignof(MetricSeries) <= kAlign && sizeof(MetricSeries) % kAlign == 0);
static_assert(std::atomic<double>::is_always_lock_free);

struct MetricRegistry::Header {
    RobustMutex mutex;
    uint64_t secret;               ///< of the hash
    std::atomic<uint32_t> used;    ///< bytes
    std::atomic<uint32_t> newest;  ///< the metric that was made last; 0: none
    std::atomic<uint32_t> metrics;
    std::atomic<uint32_t> heads[kHeads];  ///< series by hash
};

class MetricRegistry::Lock {
  public:
    explicit Lock(RobustMutex& mutex) : mutex_(mutex), result_(mutex.lock()) {
        // What a process leaves that was killed needs no repair: nobody has seen it.
        if (result_ == RobustMutex::Result::kOwnerDied) mutex.repaired();
    }
    ~Lock() {
        if (*this) mutex_.unlock();
    }
    explicit operator bool() const { return result_ != RobustMutex::Result::kTimedOut; }

  private:
    RobustMutex& mutex_;
    RobustMutex::Result result_;
};

MetricRegistry& MetricRegistry::of_this_process() {
    static MetricRegistry registry;
    if (registry) return registry;
    using Result = NamedMemories::Result;
    const NamedMemories::Opened opened = NamedMemories::of_this_process().open(kMemoryName, kShape, kBytes);
    if (opened.result == Result::kNew) registry = format(opened.memory);
    if (opened.result == Result::kFound) registry = attach(opened.memory);
    return registry;
}

void MetricRegistry::set_generation(uint32_t generation) {
    own_generation = generation;
}

MetricRegistry MetricRegistry::format(std::span<char> memory) {
    MetricRegistry registry = attach(memory);
    Header& header = registry.header();
    header.mutex.init();
    if (getrandom(&header.secret, sizeof header.secret, GRND_NONBLOCK) < 0) header.secret = 0;
    header.used.store(static_cast<uint32_t>(round_up(sizeof(Header))));
    return registry;
}

MetricRegistry MetricRegistry::attach(std::span<char> memory) {
    MetricRegistry registry;
    registry.memory_ = memory;
    return registry;
}

MetricRegistry::Header& MetricRegistry::header() const {
    return *reinterpret_cast<Header*>(memory_.data());
}

/// nullptr: no such thing lies there, as a whole.
template <typename T>
T* MetricRegistry::at(uint32_t offset) const {
    if (offset < sizeof(Header) || offset % kAlign != 0 || offset > memory_.size() - sizeof(T))
        return nullptr;
    return reinterpret_cast<T*>(memory_.data() + offset);
}

uint32_t MetricRegistry::offset_of(const void* place) const {
    return static_cast<uint32_t>(static_cast<const char*>(place) - memory_.data());
}

/// Zeroed memory; with the lock. nullptr: there is no more.
char* MetricRegistry::take(size_t bytes) const {
    const size_t used = header().used.load(std::memory_order_relaxed);
    if (used > memory_.size() || used % kAlign != 0 || round_up(bytes) > memory_.size() - used)
        return nullptr;
    header().used.store(static_cast<uint32_t>(used + round_up(bytes)), std::memory_order_relaxed);
    return memory_.data() + used;
}

// -- Metrics

namespace {

std::string text_of(std::string_view name, std::span<const std::string_view> labels) {
    std::string text(name);
    text += kEnd;
    for (const std::string_view label : labels) {
        text += label;
        text += kEnd;
    }
    return text;
}

std::vector<std::string> parts_of(std::string_view text, size_t most) {
    std::vector<std::string> parts;
    while (parts.size() < most) {
        const size_t end = text.find(kEnd);
        if (end == std::string_view::npos) break;
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return parts;
}

std::string_view part_of(std::string_view text, size_t index) {
    for (; index > 0; --index) {
        const size_t end = text.find(kEnd);
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find(kEnd));
}

bool is_same(const Metric& metric, const MetricDefinition& definition, std::string_view text) {
    return metric.kind == definition.kind && metric.text() == text &&
           metric.bounds == definition.bounds.size() &&
           std::equal(definition.bounds.begin(), definition.bounds.end(), metric.bounds_at());
}

void put_help(Metric& metric, std::string_view help) {
    const size_t bytes = std::min(help.size(), MetricRegistry::kMostHelpBytes);
    memcpy(metric.help, help.data(), bytes);
    memset(metric.help + bytes, 0, sizeof metric.help - bytes);
}

}  // namespace

/// The newest metric of this name.
Metric* MetricRegistry::find(std::string_view name) const {
    uint32_t offset = header().newest.load(std::memory_order_acquire);
    for (size_t steps = 0; offset && steps < kMostMetrics; ++steps) {
        Metric* const metric = at<Metric>(offset);
        if (!metric || metric->bytes() > memory_.size() - offset) return nullptr;
        if (part_of(metric->text(), 0) == name) return metric;
        offset = metric->next.load(std::memory_order_relaxed);
    }
    return nullptr;
}

MetricRegistry::Declared MetricRegistry::declare(const MetricDefinition& definition) const {
    return declare(definition, own_generation);
}

MetricRegistry::Declared MetricRegistry::declare(const MetricDefinition& definition,
                                                 uint32_t generation) const {
    const std::string text = text_of(definition.name, definition.labels);
    const Lock lock(header().mutex);
    if (!lock) return {Outcome::kStuck, nullptr};
    if (Metric* const known = find(definition.name)) {
        const uint32_t last = known->generation.load(std::memory_order_relaxed);
        if (is_same(*known, definition, text)) {
            if (generation > last) {
                put_help(*known, definition.help);
                known->most_series.store(definition.most_series, std::memory_order_relaxed);
                known->generation.store(generation, std::memory_order_relaxed);
            }
            return {Outcome::kDone, known};
        }
        if (generation <= last) return {Outcome::kOther, nullptr};
    }
    if (header().metrics.load(std::memory_order_relaxed) >= kMostMetrics) return {Outcome::kTooMany, nullptr};
    char* const place = take(sizeof(Metric) + definition.bounds.size() * sizeof(double) + text.size());
    if (!place) return {Outcome::kFull, nullptr};
    Metric& metric = *reinterpret_cast<Metric*>(place);
    metric.text_bytes = static_cast<uint32_t>(text.size());
    metric.since = generation;
    metric.generation.store(generation, std::memory_order_relaxed);
    metric.most_series.store(definition.most_series, std::memory_order_relaxed);
    metric.kind = definition.kind;
    metric.labels = static_cast<uint8_t>(definition.labels.size());
    metric.bounds = static_cast<uint8_t>(definition.bounds.size());
    put_help(metric, definition.help);
    std::copy(definition.bounds.begin(), definition.bounds.end(), metric.bounds_at());
    memcpy(const_cast<char*>(metric.text_at()), text.data(), text.size());
    std::string overflow;
    for (size_t label = 0; label < definition.labels.size(); ++label) {
        overflow += kOverflow;
        overflow += kEnd;
    }
    MetricSeries* const series = make_series(metric, overflow);
    if (!series) return {Outcome::kFull, nullptr};
    metric.overflow = offset_of(series);
    metric.next.store(header().newest.load(std::memory_order_relaxed), std::memory_order_relaxed);
    header().metrics.fetch_add(1, std::memory_order_relaxed);
    header().newest.store(offset_of(&metric), std::memory_order_release);
    return {Outcome::kDone, &metric};
}

// -- Series

/// Not in the table yet.
MetricSeries* MetricRegistry::make_series(Metric& metric, std::string_view text) const {
    char* const place =
        take(sizeof(MetricSeries) + metric.buckets() * sizeof(std::atomic<uint64_t>) + text.size());
    if (!place) return nullptr;
    MetricSeries& series = *reinterpret_cast<MetricSeries*>(place);
    series.metric = offset_of(&metric);
    series.text_bytes = static_cast<uint32_t>(text.size());
    memcpy(const_cast<char*>(series.text(metric.buckets()).data()), text.data(), text.size());
    return &series;
}

/// Series never leave the table, and each is complete before it is there.
MetricSeries* MetricRegistry::find(uint32_t metric, uint64_t hash, std::string_view text) const {
    const Metric* const owner = at<Metric>(metric);
    uint32_t offset = header().heads[hash % kHeads].load(std::memory_order_acquire);
    for (size_t steps = 0; offset && steps < memory_.size() / sizeof(MetricSeries); ++steps) {
        MetricSeries* const series = at<MetricSeries>(offset);
        if (!series) break;
        if (series->hash == hash && series->metric == metric && series->text_bytes == text.size() &&
            sizeof(MetricSeries) + owner->buckets() * sizeof(uint64_t) + text.size() <=
                memory_.size() - offset &&
            series->text(owner->buckets()) == text)
            return series;
        offset = series->next.load(std::memory_order_relaxed);
    }
    return nullptr;
}

MetricRegistry::Chosen MetricRegistry::series(Metric& metric,
                                              std::span<const std::string_view> values) const {
    char text[kMostLabels * (kMostValueBytes + 1)];
    size_t bytes = 0;
    bool is_overflow = true;
    for (const std::string_view value : values) {
        memcpy(text + bytes, value.data(), value.size());
        bytes += value.size();
        text[bytes++] = kEnd;
        is_overflow = is_overflow && value == kOverflow;
    }
    const std::string_view key(text, bytes);
    MetricSeries* const others = at<MetricSeries>(metric.overflow);
    if (is_overflow) return {others, false};
    const uint32_t owner = offset_of(&metric);
    uint64_t hash = 14695981039346656037u ^ header().secret ^ owner;
    for (const char byte : key)
        hash = (hash ^ static_cast<uint8_t>(byte)) * 1099511628211u;
    hash ^= hash >> 29;
    if (MetricSeries* const known = find(owner, hash, key)) return {known, false};
    {
        const Lock lock(header().mutex);
        if (lock) {
            if (MetricSeries* const known = find(owner, hash, key)) return {known, false};
            const uint32_t series_now = metric.series.load(std::memory_order_relaxed);
            MetricSeries* const made = series_now < metric.most_series.load(std::memory_order_relaxed)
                                           ? make_series(metric, key)
                                           : nullptr;
            if (made) {
                std::atomic<uint32_t>& head = header().heads[hash % kHeads];
                made->hash = hash;
                made->next.store(head.load(std::memory_order_relaxed), std::memory_order_relaxed);
                metric.series.store(series_now + 1, std::memory_order_relaxed);
                head.store(offset_of(made), std::memory_order_release);
                return {made, false};
            }
        }
    }
    return {others, metric.overflows.fetch_add(1, std::memory_order_relaxed) == 0};
}

void MetricRegistry::count(MetricSeries& series, uint64_t by) {
    series.whole.fetch_add(by, std::memory_order_relaxed);
}

void MetricRegistry::add(MetricSeries& series, double by) {
    series.real.fetch_add(by, std::memory_order_relaxed);
}

void MetricRegistry::set(MetricSeries& series, double value) {
    series.real.store(value, std::memory_order_relaxed);
}

void MetricRegistry::observe(const Metric& metric, MetricSeries& series, double value) {
    const double* const begin = metric.bounds_at();
    const double* const bound = std::lower_bound(begin, begin + metric.bounds, value);
    series.buckets()[bound - begin].fetch_add(1, std::memory_order_relaxed);
    series.real.fetch_add(value, std::memory_order_relaxed);
}

uint64_t MetricRegistry::whole(const MetricSeries& series) {
    return series.whole.load(std::memory_order_relaxed);
}

double MetricRegistry::real(const MetricSeries& series) {
    return series.real.load(std::memory_order_relaxed);
}

uint64_t MetricRegistry::observations(const Metric& metric, const MetricSeries& series) {
    uint64_t all = 0;
    for (size_t bucket = 0; bucket < metric.buckets(); ++bucket)
        all += series.buckets()[bucket].load(std::memory_order_relaxed);
    return all;
}

MetricKind MetricRegistry::kind_of(const Metric& metric) {
    return metric.kind;
}

std::string_view MetricRegistry::name_of(const Metric& metric) {
    return part_of(metric.text(), 0);
}

size_t MetricRegistry::labels_of(const Metric& metric) {
    return metric.labels;
}

std::string_view MetricRegistry::label_of(const Metric& metric, size_t index) {
    return part_of(metric.text(), 1 + index);
}

uint32_t MetricRegistry::most_series_of(const Metric& metric) {
    return metric.most_series.load(std::memory_order_relaxed);
}

// -- For whoever shows them

SeriesFigures MetricRegistry::figures_of(const Metric& metric, const MetricSeries& series) const {
    SeriesFigures figures;
    const size_t room = memory_.size() - offset_of(&series) - sizeof(MetricSeries);
    const size_t buckets = metric.buckets();
    if (series.text_bytes > room || buckets * sizeof(uint64_t) > room - series.text_bytes) return figures;
    figures.whole = whole(series);
    figures.real = real(series);
    for (size_t bucket = 0; bucket < buckets; ++bucket)
        figures.buckets.push_back(series.buckets()[bucket].load(std::memory_order_relaxed));
    figures.values = parts_of(series.text(buckets), metric.labels);
    return figures;
}

MetricFigures MetricRegistry::figures_of(const Metric& metric) const {
    MetricFigures figures;
    figures.kind = metric.kind;
    figures.help.assign(metric.help, strnlen(metric.help, sizeof metric.help));
    figures.labels = parts_of(metric.text(), size_t{1} + metric.labels);
    if (!figures.labels.empty()) {
        figures.name = figures.labels.front();
        figures.labels.erase(figures.labels.begin());
    }
    if (metric.kind == MetricKind::kHistogram)
        figures.bounds.assign(metric.bounds_at(), metric.bounds_at() + metric.bounds);
    const MetricSeries* const overflow = at<MetricSeries>(metric.overflow);
    const bool is_shown = metric.labels == 0 || metric.overflows.load(std::memory_order_relaxed) > 0;
    if (overflow && is_shown) {
        SeriesFigures others = figures_of(metric, *overflow);
        if (others.values.size() == figures.labels.size()) figures.series.push_back(std::move(others));
    }
    return figures;
}

std::vector<MetricFigures> MetricRegistry::figures(uint32_t generation) const {
    std::map<uint32_t, MetricFigures> by_offset;
    std::map<std::string, uint32_t> by_name;
    uint32_t offset = header().newest.load(std::memory_order_acquire);
    for (size_t steps = 0; offset && steps < kMostMetrics; ++steps) {
        const Metric* const metric = at<Metric>(offset);
        if (!metric || metric->bytes() > memory_.size() - offset) break;
        if (metric->since <= generation) {
            MetricFigures figures = figures_of(*metric);
            // Of two with one name the newer one comes first, and counts.
            if (figures.labels.size() == metric->labels && by_name.emplace(figures.name, offset).second)
                by_offset.emplace(offset, std::move(figures));
        }
        offset = metric->next.load(std::memory_order_relaxed);
    }
    size_t steps = 0;
    for (const std::atomic<uint32_t>& head : header().heads) {
        uint32_t place = head.load(std::memory_order_acquire);
        for (; place && steps < memory_.size() / sizeof(MetricSeries); ++steps) {
            const MetricSeries* const series = at<MetricSeries>(place);
            if (!series) break;
            const auto found = by_offset.find(series->metric);
            if (found != by_offset.end()) {
                SeriesFigures figures = figures_of(*at<Metric>(found->first), *series);
                if (figures.values.size() == found->second.labels.size())
                    found->second.series.push_back(std::move(figures));
            }
            place = series->next.load(std::memory_order_relaxed);
        }
    }
    std::vector<MetricFigures> all;
    for (const auto& [name, place] : by_name) {
        MetricFigures& figures = by_offset[place];
        std::ranges::sort(figures.series, {}, &SeriesFigures::values);
        all.push_back(std::move(figures));
    }
    return all;
}

MetricRegistry::Usage MetricRegistry::usage() const {
    Usage usage;
    usage.bytes = std::min<size_t>(header().used.load(std::memory_order_relaxed), memory_.size());
    uint32_t offset = header().newest.load(std::memory_order_acquire);
    for (size_t steps = 0; offset && steps < kMostMetrics; ++steps) {
        const Metric* const metric = at<Metric>(offset);
        if (!metric) break;
        usage.series += metric->series.load(std::memory_order_relaxed) + (metric->labels == 0);
        usage.overflows += metric->overflows.load(std::memory_order_relaxed);
        offset = metric->next.load(std::memory_order_relaxed);
    }
    return usage;
}

}  // namespace sluice
