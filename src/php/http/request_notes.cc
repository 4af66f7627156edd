#include "php/http/request_notes.h"

#include <algorithm>
#include <optional>

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/current_trace.h"
#include "php/http/request_object.h"
#include "php/http/response_object.h"
#include "php/http/trace_class.h"
#include "php/http/trace_object.h"
#include "php/profile/wait_target.h"
#include "php/worker/handler_calls.h"
#include "php/worker/worker.h"
#include "php/zend/objects.h"
#include "protocol/http/trace_context.h"
#include "server/config/config.h"
#include "server/seam/request_recorder.h"

namespace sluice::php {

namespace {

bool has_begun = false;
std::optional<RequestRecorder> recorder;
bool is_tracing = false;

void note_wait(Coroutine& self, uint64_t since_us, uint64_t now_us) {
    const uint64_t us = now_us - since_us;
    if (self.trace.request) self.trace.suspended_us += us;
    if (us < RequestRecord::kLeastWaitUs) return;
    zend_object* const trace = current_trace();
    if (!trace) return;
    TraceObject& of = *embedded<TraceObject>(trace);
    if (!of.timeline) of.timeline = new Timeline;
    const auto length = static_cast<uint32_t>(std::min<uint64_t>(us, UINT32_MAX));
    RequestRecord::Wait* const wait = of.timeline->place_for(length);
    if (!wait) return;
    const WaitTarget target(EG(current_execute_data), self.waits_for_fd);
    wait->begun_us = static_cast<uint32_t>(since_us);
    wait->us = length;
    wait->kind.set(target.kind);
    wait->target.set(target.target);
    wait->query.set(target.query);
}

bool is_sampled(const Worker& worker, const RequestObject& request) {
    const auto parent = http::find_traceparent(request.head->fields(), request.head->text());
    const TraceIds ids =
        http::ids_of_request(worker.port->trace_key(), request.connection, request.number, parent);
    return worker.config->tracing.samples(ids.low, http::decision_of(parent));
}

void fill(RequestRecord& record, const Worker& worker, const Handling& handling, const RequestObject& request,
          const RequestTimes& times) {
    const ResponseObject& response = *embedded<ResponseObject>(handling.response);
    const TraceObject* const trace = embedded<TraceObject>(current_trace());
    const http::RequestHead& head = request.head->head;
    record.trace_high = trace->ids.high;
    record.trace_low = trace->ids.low;
    record.span = trace->ids.span;
    record.parent_span = trace->parent_span;
    record.waited_us = times.waited_us;
    record.ran_us = static_cast<uint32_t>(std::min<uint64_t>(times.ended_us - times.runs_us, UINT32_MAX));
    record.at_us = request.begun_us - times.waited_us;
    record.body_bytes = response.sent_bytes;
    record.first_byte_us =
        response.head_sent_us == 0
            ? 0
            : static_cast<uint32_t>(response.head_sent_us - times.runs_us + times.waited_us);
    record.suspended_us = static_cast<uint32_t>(trace_scope().suspended_us);
    record.endpoint = handling.message.endpoint;
    record.status = response.head_sent ? response.status : 0;
    record.worker = static_cast<uint16_t>(worker.identity.id);
    record.method = static_cast<uint8_t>(head.method);
    record.flags =
        static_cast<uint8_t>((trace->flags & http::TraceParent::kSampled ? RequestRecord::kSampled : 0) |
                             (handling.cancelled ? RequestRecord::kCancelled : 0));
    record.path.set(request.head->in(head.path));
    const Timeline* const timeline = trace->timeline;
    record.waits_noted = timeline ? timeline->noted : 0;
    record.waits_left_out = timeline ? timeline->left_out : 0;
    for (size_t index = 0; index < record.waits_noted; ++index) {
        record.waits[index] = timeline->waits[index];
        record.waits[index].begun_us -= static_cast<uint32_t>(times.runs_us);
    }
}

}  // namespace

RequestRecord::Wait* Timeline::place_for(uint32_t us) {
    if (noted < RequestRecord::kMostWaits) return &waits[noted++];
    ++left_out;
    RequestRecord::Wait* const shortest = std::ranges::min_element(waits, {}, &RequestRecord::Wait::us);
    return shortest->us < us ? shortest : nullptr;
}

void begin_request_notes(const Worker& worker) {
    if (EXPECTED(has_begun)) return;
    has_begun = true;
    RequestBoard* const board = worker.port->request_board();
    is_tracing = !worker.config->tracing.endpoint.empty();
    if (!board || worker.identity.service >= 0 || (worker.config->admin.address.empty() && !is_tracing))
        return;
    recorder.emplace(*board, wall_clock_us());
    note_waits_by(note_wait);
}

bool notes_requests() {
    return recorder.has_value();
}

void note_request(const Worker& worker, const Handling& handling, zend_object* object,
                  const RequestTimes& times) {
    if (!recorder || UNEXPECTED(worker.forked)) return;
    const RequestObject& request = *embedded<RequestObject>(object);
    const ResponseObject& response = *embedded<ResponseObject>(handling.response);
    const uint64_t total_us = times.ended_us - times.runs_us + times.waited_us;
    const bool is_slow = recorder->is_slow(total_us, request.begun_us);
    const bool has_failed = response.abandoned || (response.head_sent && response.status >= 500);
    const bool is_traced = UNEXPECTED(is_tracing) && is_sampled(worker, request);
    if (EXPECTED(!is_slow && !has_failed && !is_traced)) return;
    if (!current_trace()) return;
    static RequestRecord record;
    fill(record, worker, handling, request, times);
    if (is_slow) recorder->note_slow(record, request.begun_us);
    if (has_failed) recorder->note_failed(record);
    if (is_traced) recorder->note_traced(record);
}

}  // namespace sluice::php
