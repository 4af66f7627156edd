#pragma once

#include <string>

namespace sluice {

class Observer;

/// The canary that is under way, beside what serves, and the last reload that has ended.
std::string json_of_reloads(const Observer& observer);

}  // namespace sluice
