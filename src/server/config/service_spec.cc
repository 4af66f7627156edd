#include "server/config/service_spec.h"

#include <algorithm>

namespace sluice {

bool is_service_name(const std::string& name) {
    return !name.empty() && name.size() <= ServiceSpec::kMostNameBytes &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '-';
           });
}

}  // namespace sluice
