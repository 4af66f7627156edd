#pragma once

#include <string>

#include "protocol/http/access_line.h"

namespace sluice {

/// How the requests of one site are logged.
struct AccessLogOptions {
    std::string path;
    http::AccessFormat format = http::AccessFormat::kCombined;

    bool operator==(const AccessLogOptions&) const = default;
};

}  // namespace sluice
