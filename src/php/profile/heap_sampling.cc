#include "php/profile/heap_sampling.h"

#include "core/clock.h"
#include "php/profile/php_stack.h"
#include "server/profile/profile_desk.h"

namespace sluice::php {

namespace {

HeapSampling* installed = nullptr;

}  // namespace

HeapSampling::HeapSampling(void (*label)(SampleLabels& labels))
    : Sampling({{"alloc_objects", "count"},
                {"alloc_space", "bytes"},
                {"inuse_objects", "count"},
                {"inuse_space", "bytes"}}),
      label_(label),
      random_(monotonic_ns() | 1) {}

void HeapSampling::begin() {
    // Somebody else's allocator is not watched.
    if (!is_zend_mm()) return;
    installed = this;
    zend_mm_set_custom_handlers(zend_mm_get_heap(), allocate, free, reallocate);
}

void HeapSampling::uninstall() {
    if (!installed) return;
    zend_mm_set_custom_handlers(zend_mm_get_heap(), nullptr, nullptr, nullptr);
    installed = nullptr;
}

void HeapSampling::end() {
    if (installed != this) return;
    uninstall();
    for (const auto& [block, live] : live_) {
        const int64_t values[] = {0, 0, live.objects, live.bytes};
        profile_.add_to(live.sample, values);
    }
    live_.clear();
}

// A request that reaches memory_limit leaves these functions by longjmp(): nothing may stand on their stacks
// while PHP's allocator runs.

void* HeapSampling::allocate(size_t bytes) {
    void* const block = _zend_mm_alloc(zend_mm_get_heap(), bytes);
    installed->count(block, bytes);
    return block;
}

void HeapSampling::free(void* block) {
    installed->forget(block);
    _zend_mm_free(zend_mm_get_heap(), block);
}

void* HeapSampling::reallocate(void* block, size_t bytes) {
    const size_t before = block ? _zend_mm_block_size(zend_mm_get_heap(), block) : 0;
    void* const moved = _zend_mm_realloc(zend_mm_get_heap(), block, bytes);
    if (const auto found = installed->live_.find(block); found != installed->live_.end()) {
        const Live live = found->second;
        installed->live_.erase(found);
        installed->live_.emplace(moved, live);
    } else if (bytes > before) {
        installed->count(moved, bytes - before);
    }
    return moved;
}

void HeapSampling::count(void* block, size_t bytes) {
    since_sample_ += static_cast<int64_t>(bytes);
    if (EXPECTED(since_sample_ < until_sample_)) return;
    PhpStack stack;
    stack.read(EG(current_execute_data));
    SampleLabels labels;
    label_(labels);
    const int64_t objects =
        std::max<int64_t>(since_sample_ / std::max<int64_t>(static_cast<int64_t>(bytes), 1), 1);
    const int64_t values[] = {objects, since_sample_, 0, 0};
    live_[block] = {profile_.add(stack.frames(), labels.all(), values), objects, since_sample_};
    // Not always as many, or allocations that take turns would be taken for one of them.
    random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
    until_sample_ = static_cast<int64_t>(kHeapSampleBytes / 2 + random_ % kHeapSampleBytes);
    since_sample_ = 0;
}

void HeapSampling::forget(void* block) {
    if (UNEXPECTED(!live_.empty())) live_.erase(block);
}

}  // namespace sluice::php
