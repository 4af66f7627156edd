#include "server/observer/shared_structures.h"

#include <algorithm>
#include <cstdint>

#include "server/observer/metrics_text.h"
#include "shared/shared_map.h"

namespace sluice {

namespace {

using Kind = MetricsText::Kind;

struct TableFigures {
    std::string label;
    SharedMap::Figures figures;
};
struct CounterFigures {
    std::string label;
    int64_t value;
};

}  // namespace

SharedStructures::SharedStructures(std::vector<NamedMemories::Item> memories) {
    for (NamedMemories::Item& item : memories) {
        if (item.name.starts_with('/')) continue;  // Sluice's own
        SharedMemory memory = SharedMemory::attach(std::move(item.fd), SharedMemory::Owner::kApplication);
        if (!memory) continue;
        memory.close_fd();
        structures_.push_back({std::move(item.name), std::move(memory)});
    }
    std::ranges::sort(structures_, {}, &Structure::name);
}

void SharedStructures::write(MetricsText& text) const {
    std::vector<TableFigures> tables;
    std::vector<CounterFigures> counters;
    for (const Structure& structure : structures_) {
        const auto [shape, content] = NamedMemories::look(structure.memory);
        if (shape == NamedMemories::kCounterShape && content.size() == sizeof(int64_t)) {
            int64_t value;
            __atomic_load(reinterpret_cast<const int64_t*>(content.data()), &value, __ATOMIC_RELAXED);
            counters.push_back({MetricsText::label("counter", structure.name), value});
        } else if (shape.starts_with(NamedMemories::kTableShape)) {
            SharedMap::Figures figures;
            if (SharedMap::look(content, figures))
                tables.push_back({MetricsText::label("table", structure.name), figures});
        }
    }
    const auto each = [&](std::string_view name, Kind kind, std::string_view unit, std::string_view help,
                          auto member) {
        text.family(name, kind, unit, help);
        for (const auto& [label, figures] : tables)
            text.value(label, uint64_t{figures.*member});
    };
    using Figures = SharedMap::Figures;
    each("sluice_shared_table_entries", Kind::kGauge, {},
         "Entries of a table, with expired ones that have not been removed yet.", &Figures::entries);
    each("sluice_shared_table_bytes", Kind::kGauge, "bytes", "Bytes that a table's entries take.",
         &Figures::used_bytes);
    each("sluice_shared_table_max_bytes", Kind::kGauge, "bytes", "Bytes that a table has for entries.",
         &Figures::bytes);
    each("sluice_shared_table_evictions", Kind::kCounter, {},
         "Entries that were removed to make room, since the table was made.", &Figures::evicted);
    each("sluice_shared_table_repairs", Kind::kCounter, {},
         "How often a process has died within a change of a table, which the next one has repaired.",
         &Figures::rebuilt);
    text.family("sluice_shared_counter_value", Kind::kGauge, {}, "The value of a shared counter.");
    for (const CounterFigures& counter : counters)
        text.value(counter.label, static_cast<double>(counter.value));
}

}  // namespace sluice
