#include "server/observer/limit_metrics.h"

#include <initializer_list>
#include <utility>

#include "server/observer/metrics_text.h"
#include "server/observer/observer.h"

namespace sluice {

namespace {

using Named = std::initializer_list<std::pair<std::string_view, uint64_t>>;

void write(MetricsText& text, std::string_view name, std::string_view unit, std::string_view help,
           Named limits) {
    text.family(name, MetricsText::Kind::kGauge, unit, help);
    for (const auto& [option, value] : limits)
        text.value(MetricsText::label("limit", option), value);
}

}  // namespace

void write_limits(MetricsText& text, const Observer& observer) {
    const Limits& limits = observer.config().limits;
    write(text, "sluice_limit_bytes", "bytes", "Limits on memory and files, by the parameter of Limits.",
          {{"arenaBytes", limits.arena_bytes},
           {"attachedTotalBytes", limits.attached_total_bytes},
           {"compressionBytes", limits.compression_bytes},
           {"lentBytes", limits.lent_bytes},
           {"outBytes", limits.out_bytes},
           {"queuedTotalBytes", limits.queued_total_bytes},
           {"ringBytes", limits.ring_bytes},
           {"subscriptionBytes", limits.subscription_bytes},
           {"temporaryFileBytes", limits.temporary_file_bytes}});
    write(text, "sluice_limit_places", {}, "Limits on numbers, by the parameter of Limits.",
          {{"bodyStreams", limits.body_streams},
           {"connections", limits.connections},
           {"coroutines", limits.coroutines},
           {"handshakes", limits.handshakes},
           {"openFiles", limits.open_files}});
}

}  // namespace sluice
