#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// Where an OTLP/HTTP collector is.
struct CollectorUrl {
    std::string host, port, path;

    /// "http://host[:port][/path]"; port 4318 and path "/" by default. Nothing when it is something else.
    static std::optional<CollectorUrl> parse(std::string_view url);
};

enum class Delivered { kTaken, kTryAgain, kRefused };

/// Posts one OTLP message, over a connection of its own. Blocks, each step at most `timeout_ms`. `headers`:
/// further "name: value\r\n" lines. kTryAgain: it was not reached, or says that it may take it later
/// (OTLP 1.3 §OTLP/HTTP Response).
Delivered post_otlp(const CollectorUrl& url, std::string_view headers, std::string_view body, int timeout_ms,
                    std::string& why);

}  // namespace sluice
