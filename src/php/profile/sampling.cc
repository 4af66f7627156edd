#include "php/profile/sampling.h"

#include <ctime>

#include "server/profile/profile_desk.h"

namespace sluice::php {

Sampling::Sampling(std::vector<ValueType> types)
    : profile_(std::move(types), ProfileDesk::kMostRecordBytes) {}

bool Sampling::wait_for_tick(uint32_t most_ms) {
    const timespec pause = {most_ms / 1000, static_cast<long>(most_ms % 1000) * 1'000'000};
    nanosleep(&pause, nullptr);
    return false;
}

}  // namespace sluice::php
