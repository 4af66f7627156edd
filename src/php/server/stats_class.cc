#include "php/server/stats_class.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "server/seam/shared_layout.h"

namespace sluice::php {

namespace {

zend_class_entry* stats_class;
zend_class_entry* worker_stats_class;
zend_object_handlers handlers;

struct StatsObject {
    zend_object object;
};

zend_object* create_stats(zend_class_entry* class_entry) {
    return &new_embedded<StatsObject>(class_entry, handlers)->object;
}

zend_object* new_worker_stats(const WorkerStats& stats) {
    zend_object* object = create_stats(worker_stats_class);
    int place = 0;
    for (const uint64_t figure :
         {uint64_t{stats.number}, static_cast<uint64_t>(stats.pid), uint64_t{stats.generation}, stats.handled,
          uint64_t{stats.handlers}, uint64_t{stats.waiting}, uint64_t{stats.coroutines}})
        init_property(object, place++, static_cast<zend_long>(figure));
    return object;
}

const char* why_no_layout(int error) {
    switch (error) {
        case ESRCH: return "there is no such process";
        case ENOENT: return "it is not the master of a server";
        case EPROTO: return "it has another version of Sluice";
        default: return strerror(error);
    }
}

void throw_no_layout(zend_long pid, int error) {
    throw_server_exception("The figures of process " ZEND_LONG_FMT " cannot be read: %s", pid,
                           why_no_layout(error));
}

/// Twice the most workers: while a reload overlaps, there are old and new ones.
struct WorkerList {
    std::array<WorkerStats, 256> all;
    size_t count = 0;
};

// No memory of C++ is on the stack while PHP allocates: these return before.

/// 0, or an errno.
int read_stats(zend_long pid, ServerStats& stats) {
    const SharedLayout layout = layout_of_server(static_cast<pid_t>(pid));
    if (!layout) return errno;
    stats = stats_of(layout);
    return 0;
}

int read_workers(zend_long pid, WorkerList& list) {
    const SharedLayout layout = layout_of_server(static_cast<pid_t>(pid));
    if (!layout) return errno;
    const std::vector<WorkerStats> found = worker_stats_of(layout);
    list.count = std::min(found.size(), list.all.size());
    std::copy_n(found.begin(), list.count, list.all.begin());
    return 0;
}

}  // namespace

void init_stats_class(zend_class_entry* class_entry) {
    stats_class = class_entry;
    class_entry->create_object = create_stats;
    init_handlers<StatsObject>(handlers, zend_object_std_dtor);
}

void init_worker_stats_class(zend_class_entry* class_entry) {
    worker_stats_class = class_entry;
    class_entry->create_object = create_stats;
}

zend_object* new_stats(const ServerStats& stats) {
    zend_object* object = create_stats(stats_class);
    int place = 0;
    for (const uint64_t figure : {stats.connections,       stats.arena_bytes,
                                  stats.lent_bytes,        stats.compression_bytes,
                                  stats.attached_bytes,    stats.subscription_bytes,
                                  stats.queued_bytes,      stats.temporary_file_bytes,
                                  stats.body_streams,      stats.handshakes,
                                  stats.open_files,        stats.messages_received,
                                  stats.bytes_received,    stats.bytes_sent,
                                  stats.coroutines,        stats.pooled_stacks,
                                  stats.peak_coroutines,   stats.stalls,
                                  stats.datagrams_dropped, stats.workers,
                                  stats.services,          stats.service_restarts})
        init_property(object, place++, static_cast<zend_long>(figure));
    return object;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Stats, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Stats, ofServer) {
    zend_long pid;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(pid)
    ZEND_PARSE_PARAMETERS_END();
    sluice::ServerStats stats;
    if (const int error = read_stats(pid, stats)) {
        throw_no_layout(pid, error);
        RETURN_THROWS();
    }
    RETURN_OBJ(new_stats(stats));
}

ZEND_METHOD(Sluice_WorkerStats, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_WorkerStats, ofServer) {
    zend_long pid;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(pid)
    ZEND_PARSE_PARAMETERS_END();
    WorkerList list;
    if (const int error = read_workers(pid, list)) {
        throw_no_layout(pid, error);
        RETURN_THROWS();
    }
    array_init(return_value);
    for (size_t i = 0; i < list.count; ++i)
        add_next_index_object(return_value, new_worker_stats(list.all[i]));
}
