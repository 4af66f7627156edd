#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/wire.h"

namespace sluice {

/// What the master tells the observer of services and processes of pools that fail again and again.
struct ServiceReport {
    struct Failing {
        std::string name;    ///< with the number of its process: `queue 0`
        uint32_t times = 0;  ///< in a row, each soon after its start
        std::string end;     ///< of the last one: `was killed by signal 11 (Segmentation fault)`
        bool operator==(const Failing&) const = default;
    };

    std::vector<Failing> failing;
    bool operator==(const ServiceReport&) const = default;

    void write(WireWriter& writer) const {
        writer.put(static_cast<uint32_t>(failing.size()));
        for (const Failing& service : failing) {
            writer.put_string(service.name);
            writer.put(service.times);
            writer.put_string(service.end);
        }
    }
    static ServiceReport read(WireReader& reader) {
        ServiceReport report;
        const uint32_t count = reader.get<uint32_t>();
        for (uint32_t i = 0; i < count && reader.ok(); ++i) {
            Failing& service = report.failing.emplace_back();
            service.name = reader.get_string();
            service.times = reader.get<uint32_t>();
            service.end = reader.get_string();
        }
        return report;
    }
};

}  // namespace sluice
