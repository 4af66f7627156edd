#pragma once

#include "core/trace_ids.h"
#include "php/http/shared_head.h"
#include "server/seam/request_board.h"

namespace sluice::php {

/// The longest suspensions of what works for one request.
struct Timeline {
    uint8_t noted = 0;
    uint32_t left_out = 0;
    RequestRecord::Wait waits[RequestRecord::kMostWaits];  ///< `begun_us`: the low half of monotonic_us()

    /// Room for one of this length: the shortest makes way. nullptr: it is shorter than all.
    RequestRecord::Wait* place_for(uint32_t us);
};

/// A Sluice\Http\Trace.
struct TraceObject {
    TraceIds ids;
    uint64_t parent_span;  ///< 0: the trace begins here
    uint8_t flags;         ///< of http::TraceParent
    SharedHead* head;      ///< one reference, for what is passed on unread
    Timeline* timeline;    ///< nullptr: nothing was noted
    zend_object object;
};

}  // namespace sluice::php
