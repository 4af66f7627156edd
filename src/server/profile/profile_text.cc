// Profiles as text: folded stacks, and speedscope's JSON.

#include <cstdio>

#include "server/profile/profile_formats.h"

namespace sluice {

namespace {

void append_json(std::string& to, std::string_view text) {
    to += '"';
    for (const char byte : text) {
        if (byte == '"' || byte == '\\') {
            to += '\\';
            to += byte;
        } else if (static_cast<unsigned char>(byte) < 0x20) {
            char escaped[8];
            snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(byte));
            to += escaped;
        } else {
            to += byte;
        }
    }
    to += '"';
}

/// `;` ends a frame and a line break a stack.
void append_folded(std::string& to, std::string_view text) {
    for (const char byte : text)
        to += byte == ';' ? ':' : byte == '\n' || byte == '\r' ? ' ' : byte;
}

void append_unit(std::string& to, std::string_view unit) {
    append_json(to, unit == "nanoseconds" || unit == "bytes" ? unit : "none");
}

}  // namespace

std::string to_folded(const Profile& profile) {
    std::string to;
    if (profile.types().empty()) return to;
    const size_t last = profile.types().size() - 1;
    for (const Profile::Sample& sample : profile.samples()) {
        if (sample.values[last] == 0) continue;
        for (size_t index = sample.stack.size(); index-- > 0;) {
            append_folded(to, profile.strings()[profile.frames()[sample.stack[index]].function]);
            if (index > 0) to += ';';
        }
        to += ' ';
        to += std::to_string(sample.values[last]);
        to += '\n';
    }
    return to;
}

std::string to_speedscope(const Profile& profile, std::string_view name) {
    std::string to =
        R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"sluice",)";
    to += "\"name\":";
    append_json(to, name);
    to += R"(,"shared":{"frames":[)";
    bool is_first = true;
    for (const Profile::Frame& frame : profile.frames()) {
        if (!is_first) to += ',';
        is_first = false;
        to += "{\"name\":";
        append_json(to, profile.strings()[frame.function]);
        if (frame.file != 0) {
            to += ",\"file\":";
            append_json(to, profile.strings()[frame.file]);
        }
        if (frame.line != 0) to += ",\"line\":" + std::to_string(frame.line);
        to += '}';
    }
    to += "]},\"profiles\":[";
    for (size_t type = 0; type < profile.types().size(); ++type) {
        std::string samples, weights;
        int64_t total = 0;
        for (const Profile::Sample& sample : profile.samples()) {
            if (sample.values[type] == 0) continue;
            total += sample.values[type];
            if (!samples.empty()) samples += ',', weights += ',';
            samples += '[';
            for (size_t index = sample.stack.size(); index-- > 0;) {
                samples += std::to_string(sample.stack[index]);
                if (index > 0) samples += ',';
            }
            samples += ']';
            weights += std::to_string(sample.values[type]);
        }
        if (type > 0) to += ',';
        to += "{\"type\":\"sampled\",\"name\":";
        append_json(to, profile.types()[type].type);
        to += ",\"unit\":";
        append_unit(to, profile.types()[type].unit);
        to += ",\"startValue\":0,\"endValue\":" + std::to_string(total);
        to += ",\"samples\":[" + samples + "],\"weights\":[" + weights + "]}";
    }
    return to + "]}";
}

}  // namespace sluice
