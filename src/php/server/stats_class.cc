#include "php/server/stats_class.h"

#include "php/zend/objects.h"

namespace sluice::php {

namespace {

zend_class_entry* stats_class;
zend_object_handlers handlers;

struct StatsObject {
    zend_object object;
};

zend_object* create_stats(zend_class_entry* class_entry) {
    return &new_embedded<StatsObject>(class_entry, handlers)->object;
}

}  // namespace

void init_stats_class(zend_class_entry* class_entry) {
    stats_class = class_entry;
    class_entry->create_object = create_stats;
    init_handlers<StatsObject>(handlers, zend_object_std_dtor);
}

zend_object* new_stats(const ServerStats& stats) {
    zend_object* object = create_stats(stats_class);
    int place = 0;
    for (const uint64_t figure :
         {stats.connections, stats.arena_bytes, stats.lent_bytes, stats.compression_bytes,
          stats.attached_bytes, stats.subscription_bytes, stats.messages_received, stats.bytes_received,
          stats.bytes_sent, stats.coroutines, stats.pooled_stacks, stats.peak_coroutines, stats.stalls,
          stats.datagrams_dropped, stats.workers, stats.services, stats.service_restarts})
        init_property(object, place++, static_cast<zend_long>(figure));
    return object;
}

}  // namespace sluice::php

ZEND_METHOD(Sluice_Stats, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}
