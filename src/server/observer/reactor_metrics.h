#pragma once

namespace sluice {

class MetricsText;
class SharedLayout;
struct ReactorSums;

/// What reactors tell of connections, of who waits, and of what was refused.
void write_reactors(MetricsText& text, const ReactorSums& sums);

/// What lies in the rings between reactors and workers, and what of the memory for clients one of them may
/// take.
void write_rings(MetricsText& text, const SharedLayout& layout);

}  // namespace sluice
