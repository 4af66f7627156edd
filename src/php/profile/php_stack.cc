#include "php/profile/php_stack.h"

#include "php/coroutine/coroutine.h"

namespace sluice::php {

namespace {

constexpr size_t kMostFrames = 256;
constexpr std::string_view kClosure = "{closure";

/// Closures are told apart by their place, in all versions of PHP alike.
void name_closure(StackFrame& frame) {
    const size_t at = frame.function.find(kClosure);
    if (at == std::string::npos) return;
    const size_t slash = frame.file.rfind('/');
    frame.function.resize(at);
    frame.function += kClosure;
    frame.function += ':' + frame.file.substr(slash == std::string::npos ? 0 : slash + 1) + ':' +
                      std::to_string(frame.start_line) + '}';
}

}  // namespace

bool PhpStack::read(const zend_execute_data* top, ReadMemory read_memory) {
    texts_.clear();
    frames_.clear();
    for (; top && frames_.size() < kMostFrames; top = texts_.back().previous) {
        StackFrame& frame = texts_.emplace_back();
        if (!read_frame(read_memory, top, frame)) return false;
        if (frame.called && is_coroutine_entry(frame.called)) break;
        // PHP's frames for its own use are no calls.
        if (!frame.called || (frame.function.empty() && frame.file.empty())) continue;
        if (frame.function.empty()) {
            frame.function = frame.previous ? "{include}" : "{main}";
        } else {
            name_closure(frame);
        }
        frames_.push_back({frame.function, frame.file, frame.line, frame.start_line});
    }
    return true;
}

}  // namespace sluice::php
