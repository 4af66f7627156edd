#pragma once

namespace sluice {

class MetricsText;
class Observer;

/// What clients share is bounded: by how much. How much is taken stands in gauges of its own.
void write_limits(MetricsText& text, const Observer& observer);

}  // namespace sluice
