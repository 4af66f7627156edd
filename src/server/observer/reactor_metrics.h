#pragma once

namespace sluice {

class MetricsText;
struct ReactorSums;

/// What reactors tell of connections, of who waits, and of what was refused.
void write_reactors(MetricsText& text, const ReactorSums& sums);

}  // namespace sluice
