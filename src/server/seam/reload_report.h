#pragma once

#include <cstdint>
#include <string>

#include "core/wire.h"

namespace sluice {

/// What the master tells the observer of reloads.
struct ReloadReport {
    struct Canary {
        uint32_t generation = 0;  ///< 0: none is under way
        double share = 0;         ///< of the requests; 0: its time is over, and answers are waited for
        uint64_t until_ms = 0;    ///< of the monotonic clock
        bool operator==(const Canary&) const = default;
    };
    struct Result {
        uint32_t generation = 0;  ///< 0: no reload has ended
        bool has_failed = false;
        uint64_t ended_us = 0;  ///< since 1970
        std::string text;       ///< why it has failed, or what its trial has shown
        bool operator==(const Result&) const = default;
    };

    Canary canary;
    Result last;
    bool operator==(const ReloadReport&) const = default;

    void write(WireWriter& writer) const {
        writer.put(canary.generation);
        writer.put(canary.share);
        writer.put(canary.until_ms);
        writer.put(last.generation);
        writer.put(last.has_failed);
        writer.put(last.ended_us);
        writer.put_string(last.text);
    }
    static ReloadReport read(WireReader& reader) {
        ReloadReport report;
        report.canary.generation = reader.get<uint32_t>();
        report.canary.share = reader.get<double>();
        report.canary.until_ms = reader.get<uint64_t>();
        report.last.generation = reader.get<uint32_t>();
        report.last.has_failed = reader.get<bool>();
        report.last.ended_us = reader.get<uint64_t>();
        report.last.text = reader.get_string();
        return report;
    }
};

}  // namespace sluice
