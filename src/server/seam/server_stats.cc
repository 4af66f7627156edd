#include "server/seam/server_stats.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace sluice {

namespace {

constexpr char kShapeName[] = "sluice shape";
constexpr char kVersion[16] = SLUICE_VERSION;

struct Published {
    char version[sizeof kVersion];
    SharedLayout::Shape shape;
};

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

ServerStats stats_of(const SharedLayout& layout) {
    ServerStats stats;
    for (unsigned i = 0; i < layout.shape().reactors; ++i) {
        const ReactorCell& cell = layout.reactor(i);
        stats.connections += cell.connections.load(std::memory_order_relaxed);
        stats.arena_bytes += cell.arena_bytes.load(std::memory_order_relaxed);
        stats.compression_bytes += cell.compression_bytes.load(std::memory_order_relaxed);
        stats.attached_bytes += cell.attached_bytes.load(std::memory_order_relaxed);
        stats.subscription_bytes += cell.subscription_bytes.load(std::memory_order_relaxed);
        // Each reactor says it of its whole process.
        const uint64_t queued = cell.out_bytes.load(std::memory_order_relaxed);
        stats.queued_bytes =
            layout.shape().is_base() ? stats.queued_bytes + queued : std::max(stats.queued_bytes, queued);
        stats.temporary_file_bytes += cell.file_bytes.load(std::memory_order_relaxed);
        stats.body_streams += cell.body_streams.load(std::memory_order_relaxed);
        stats.handshakes += cell.handshakes.load(std::memory_order_relaxed);
        stats.open_files += cell.open_files.load(std::memory_order_relaxed);
        stats.messages_received += cell.messages_received.load(std::memory_order_relaxed);
        stats.bytes_received += cell.bytes_received.load(std::memory_order_relaxed);
        stats.bytes_sent += cell.bytes_sent.load(std::memory_order_relaxed);
        stats.datagrams_dropped += cell.datagrams_dropped.load(std::memory_order_relaxed);
    }
    for (unsigned i = 0; i < layout.shape().worker_slots; ++i) {
        const WorkerCell& cell = layout.worker(i);
        const bool is_service = i >= layout.shape().first_service_slot();
        (is_service ? stats.services : stats.workers) += cell.alive.load(std::memory_order_relaxed) != 0;
        stats.service_restarts += cell.restarts.load(std::memory_order_relaxed);
        stats.lent_bytes += cell.lent_bytes.load(std::memory_order_relaxed);
        stats.temporary_file_bytes += cell.file_bytes.load(std::memory_order_relaxed);
        stats.coroutines += cell.coroutines.load(std::memory_order_relaxed);
        stats.pooled_stacks += cell.pooled_stacks.load(std::memory_order_relaxed);
        stats.peak_coroutines =
            std::max<uint64_t>(stats.peak_coroutines, cell.peak_coroutines.load(std::memory_order_relaxed));
        stats.stalls += cell.stalls.load(std::memory_order_relaxed);
    }
    return stats;
}

std::vector<WorkerStats> worker_stats_of(const SharedLayout& layout) {
    std::vector<WorkerStats> all;
    for (unsigned slot = 0; slot < layout.shape().first_service_slot(); ++slot) {
        const WorkerCell& cell = layout.worker(slot);
        if (!cell.alive.load(std::memory_order_relaxed)) continue;
        all.push_back({
            .number = cell.number.load(std::memory_order_relaxed),
            .pid = static_cast<pid_t>(cell.pid.load(std::memory_order_relaxed)),
            .generation = cell.generation.load(std::memory_order_relaxed),
            .handled = cell.handled.load(std::memory_order_relaxed),
            .handlers = cell.handlers.load(std::memory_order_relaxed),
            .waiting = cell.waiting.load(std::memory_order_relaxed),
            .coroutines = cell.coroutines.load(std::memory_order_relaxed),
            .heap_bytes = cell.heap_bytes.load(std::memory_order_relaxed),
        });
    }
    std::ranges::sort(all, {}, [](const WorkerStats& one) { return std::tuple(one.generation, one.number); });
    return all;
}

UniqueFd publish_shape(const SharedLayout::Shape& shape) {
    UniqueFd fd(memfd_create(kShapeName, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    Published published{.version = SLUICE_VERSION, .shape = shape};
    published.shape.secret = 0;  // the figures do not need it
    if (!fd || write(fd.get(), &published, sizeof published) != sizeof published ||
        fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return {};
    return fd;
}

SharedLayout layout_of_server(pid_t master) {
    UniqueFd memory, shape;
    const std::string path = "/proc/" + std::to_string(master) + "/fd";
    const std::unique_ptr<DIR, CloseFolder> descriptors(opendir(path.c_str()));
    if (!descriptors) {
        if (errno == ENOENT) errno = ESRCH;
        return {};
    }
    while (const dirent* entry = readdir(descriptors.get())) {
        const std::string link = path + "/" + entry->d_name;
        char text[64];
        const ssize_t bytes = readlink(link.c_str(), text, sizeof text);
        const std::string_view target(text, static_cast<size_t>(std::max<ssize_t>(bytes, 0)));
        if (target == "/memfd:sluice (deleted)") memory.reset(open(link.c_str(), O_RDWR | O_CLOEXEC));
        if (target == "/memfd:sluice shape (deleted)") shape.reset(open(link.c_str(), O_RDONLY | O_CLOEXEC));
    }
    Published published;
    if (!memory || !shape) {
        errno = ENOENT;
        return {};
    }
    const ssize_t bytes = pread(shape.get(), &published, sizeof published, 0);
    if (bytes != sizeof published || memcmp(published.version, kVersion, sizeof kVersion) != 0) {
        errno = EPROTO;
        return {};
    }
    SharedLayout layout = SharedLayout::attach(std::move(memory), published.shape);
    if (!layout) errno = EPROTO;
    return layout;
}

}  // namespace sluice
