#pragma once

namespace sluice {

class MetricsText;
class Observer;

/// What the application has declared, and how much room that takes.
void write_application_metrics(MetricsText& text, const Observer& observer);

}  // namespace sluice
