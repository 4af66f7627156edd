#include "php/zend/backtraces.h"

#include <algorithm>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

namespace sluice::php {

namespace {

constexpr size_t kMostFrames = 40;
constexpr size_t kLongestName = 512;

template <typename T>
bool read_at(ReadMemory read, const T* from, T& to) {
    return from && read(from, &to, sizeof to);
}

std::string read_string(ReadMemory read, const zend_string* from) {
    size_t size = 0;
    if (!from || !read_at(read, &from->len, size)) return {};
    size = std::min(size, kLongestName);
    std::string text(size, '\0');
    if (!read(from->val, text.data(), size)) return {};
    return text;
}

}  // namespace

bool read_frame(ReadMemory read, const zend_execute_data* at, StackFrame& frame) {
    frame = {};
    const zend_function* function = nullptr;
    zend_execute_data* previous = nullptr;
    if (!read_at(read, &at->prev_execute_data, previous) ||
        !read(&at->func, static_cast<void*>(&function), sizeof function))
        return false;
    frame.previous = previous;
    frame.called = function;
    decltype(function->common) common;
    if (!function) return true;
    if (!read_at(read, &function->common, common)) return false;
    zend_string* class_name = nullptr;
    if (common.scope) read_at(read, &common.scope->name, class_name);
    if (common.function_name) {
        if (class_name)
            frame.function =
                read_string(read, class_name) + (common.fn_flags & ZEND_ACC_STATIC ? "::" : "->");
        frame.function += read_string(read, common.function_name);
    }
    if (!ZEND_USER_CODE(common.type)) return true;
    zend_string* file = nullptr;
    const zend_op* opline = nullptr;
    if (!read_at(read, &function->op_array.filename, file) ||
        !read(&at->opline, static_cast<void*>(&opline), sizeof opline))
        return false;
    frame.file = read_string(read, file);
    if (opline) read_at(read, &opline->lineno, frame.line);
    read_at(read, &function->op_array.line_start, frame.start_line);
    return true;
}

bool read_own_memory(const void* from, void* to, size_t size) {
    memcpy(to, from, size);
    return true;
}

bool read_any_memory(const void* from, void* to, size_t size) {
    iovec local = {to, size};
    iovec remote = {const_cast<void*>(from), size};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

namespace {

pid_t child = 0;

bool read_child(const void* from, void* to, size_t size) {
    iovec local = {to, size};
    iovec remote = {const_cast<void*>(from), size};
    return process_vm_readv(child, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

}  // namespace

std::string stack_of_child(int pid) {
    child = pid;
    // A fork has PHP's globals at the same address.
    zend_execute_data* top = nullptr;
    if (!read_child(&EG(current_execute_data), &top, sizeof top)) return {};
    return backtrace(top, read_child);
}

std::string backtrace(const zend_execute_data* top, ReadMemory read) {
    std::string lines, called;
    bool begun = false;
    size_t number = 0;
    StackFrame frame;
    for (size_t count = 0; top && count < kMostFrames && read_frame(read, top, frame); ++count) {
        const std::string at = std::to_string(frame.line);
        if (!begun && !frame.file.empty()) {
            lines = frame.file + ":" + at + lines;
            begun = true;
        }
        if (!called.empty()) {
            lines += "\n#" + std::to_string(number++) + " ";
            lines += frame.file.empty() ? "[internal function]" : frame.file + "(" + at + ")";
            lines += ": " + called + "()";
        }
        called = frame.function;
        if (!called.empty() || frame.file.empty() || frame.previous) {
            top = frame.previous;
            continue;
        }
        lines += "\n#" + std::to_string(number) + " {main}";
        break;
    }
    return lines;
}

std::string place_of(const zend_execute_data* top) {
    std::string called;
    StackFrame frame;
    for (; top && read_frame(read_own_memory, top, frame); top = frame.previous) {
        if (!frame.file.empty() && !frame.file.starts_with(kLibraryFolder)) {
            const std::string at = frame.file + ":" + std::to_string(frame.line);
            return called.empty() ? at : called + "() at " + at;
        }
        if (!frame.function.empty()) called = frame.function;
    }
    return called.empty() ? "PHP's own code" : called + "()";
}

}  // namespace sluice::php
