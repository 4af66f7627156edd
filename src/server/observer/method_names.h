#pragma once

#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice {

/// As labels have it: `_OTHER` for a method that is not known (OpenTelemetry).
std::string_view name_of(http::Method method);

}  // namespace sluice
