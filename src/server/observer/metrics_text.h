#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/trace_ids.h"

namespace sluice {

/// Writes metrics as Prometheus' text format 0.0.4 or as OpenMetrics 1.0 has them: by families, each with its
/// samples behind it.
class MetricsText {
  public:
    enum class Format : uint8_t { kPrometheus, kOpenMetrics };
    enum class Kind : uint8_t { kCounter, kGauge, kHistogram };

    explicit MetricsText(Format format) : format_(format) {}

    /// Begins a family. `name`: without `_total`; it ends with the unit, if there is one.
    void family(std::string_view name, Kind kind, std::string_view unit, std::string_view help);

    // Samples of the family. `labels`: as of label(), apart by commas.
    void value(std::string_view labels, double value);
    void value(std::string_view labels, uint64_t value);
    /// A request that has counted in a bucket, by which who looks finds it.
    struct Exemplar {
        TraceIds ids;
        double value = 0;
        double at = 0;  ///< seconds since 1970
    };
    /// One bucket of a histogram; `count`: of all values up to the bound, the buckets before included. Only
    /// OpenMetrics has exemplars. `exemplar`: or nullptr.
    void bucket(std::string_view labels, std::string_view bound, uint64_t count,
                const Exemplar* exemplar = nullptr);
    void sum_and_count(std::string_view labels, double sum, uint64_t count);

    /// The whole text.
    std::string finish();

    /// `name="value"`, with what the formats want escaped.
    static std::string label(std::string_view name, std::string_view value);
    static std::string_view type_of(Format format);
    /// By a request's Accept field: OpenMetrics when it is asked for, else the format of Prometheus.
    static Format wanted(std::string_view accept);

  private:
    void sample(std::string_view suffix, std::string_view labels, std::string_view value,
                const Exemplar* exemplar = nullptr);

    Format format_;
    Kind kind_ = Kind::kGauge;
    std::string name_;
    std::string text_;
};

/// A number as both formats have it.
std::string number_text(double value);

}  // namespace sluice
