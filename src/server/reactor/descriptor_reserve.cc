#include "server/reactor/descriptor_reserve.h"

#include <algorithm>
#include <climits>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include "core/unique_fd.h"
#include "server/config/limits.h"
#include "server/seam/request_file.h"

namespace sluice {

namespace {
/// Of the descriptors that connections could have, this part is reserved at most.
constexpr uint64_t kPart = 4;
/// For what comes and goes at once: a descriptor that is received and duplicated, the memory of a long body,
/// a log that is opened anew, a connection that is accepted and closed; and for listeners that a reload adds.
constexpr uint64_t kSpare = 64;
}  // namespace

uint64_t DescriptorReserve::wanted(const Limits& limits, const SharedLayout::Shape& shape) {
    const uint64_t processes = shape.processes();
    // In base mode the handlers, which have descriptors of their own for bodies, are in this process.
    const uint64_t handlers = shape.is_base() ? 1 : 0;
    const uint64_t channels = shape.is_base() ? 0 : uint64_t{shape.worker_slots} * shape.reactors;
    const uint64_t ends_of_a_stream = 2;
    return limits.open_files / processes + limits.body_streams / processes * (ends_of_a_stream + handlers) +
           limits.temporary_file_bytes / TemporaryFiles::kLeastBytes * (1 + handlers) + channels + kSpare;
}

uint64_t DescriptorReserve::of(uint64_t wanted, uint64_t free) {
    return std::min(wanted, free / kPart);
}

uint64_t DescriptorReserve::with(uint64_t wanted, uint64_t connections) {
    return connections + std::min(wanted, (connections + kPart - 2) / (kPart - 1));
}

DescriptorReserve::DescriptorReserve(uint64_t wanted) : wanted_(wanted) {
    const UniqueFd next(eventfd(0, EFD_CLOEXEC));
    others_ = next ? static_cast<uint64_t>(next.get()) : UINT64_MAX;
    look();
}

void DescriptorReserve::look() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    const uint64_t most = std::min<uint64_t>(limit.rlim_cur, INT_MAX);
    end_ = most - of(wanted_, most - std::min(others_, most));
}

bool DescriptorReserve::is_next(int fd) {
    const UniqueFd next(fcntl(fd, F_DUPFD_CLOEXEC, 0));
    return !next || has(next.get());
}

bool DescriptorReserve::has(int fd) {
    last_ = static_cast<uint64_t>(fd);
    return last_ >= end_;
}

}  // namespace sluice
