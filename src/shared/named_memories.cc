#include "shared/named_memories.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sluice {

NamedMemories& NamedMemories::of_this_process() {
    static NamedMemories all;
    return all;
}

std::string_view NamedMemories::Open::shape() const {
    return {memory.data(), strnlen(memory.data(), kShapeBytes)};
}

NamedMemories::Open NamedMemories::make(std::string_view name, SharedMemory memory) {
    Open made{std::string(name), std::move(memory), {}};
    made.content = {made.memory.data() + kShapeBytes, made.memory.size() - kShapeBytes};
    return made;
}

NamedMemories::Open* NamedMemories::find_open(std::string_view name) {
    for (Open& open : open_)
        if (open.name == name) return &open;
    return nullptr;
}

NamedMemories::Opened NamedMemories::open(std::string_view name, std::string_view shape, size_t bytes) {
    assert(shape.size() < kShapeBytes);
    if (const Open* open = find_open(name)) {
        if (open->shape() != shape) return {Result::kOther, {}};
        return {Result::kFound, open->content};
    }
    if (sealed_) return {Result::kTooLate, {}};
    const auto is_own = [](std::string_view one) { return one.starts_with('/'); };
    const auto others = std::ranges::count_if(open_, [&](const Open& open) { return !is_own(open.name); });
    if (!is_own(name) && others == std::ptrdiff_t{kMost}) return {Result::kTooMany, {}};
    bool reshaped = false;
    const auto left = std::find_if(inherited_.begin(), inherited_.end(),
                                   [name](const Item& item) { return item.name == name; });
    if (left != inherited_.end()) {
        SharedMemory memory = SharedMemory::attach(std::move(left->fd), SharedMemory::Owner::kApplication);
        inherited_.erase(left);
        if (memory && memory.size() == kShapeBytes + bytes) {
            Open open = make(name, std::move(memory));
            if (open.shape() == shape) {
                open_.push_back(std::move(open));
                return {Result::kFound, open_.back().content};
            }
        }
        reshaped = true;
    }
    SharedMemory memory = SharedMemory::create(std::string(name).c_str(), kShapeBytes + bytes,
                                               SharedMemory::Owner::kApplication);
    if (!memory) return {Result::kFailed, {}};
    memcpy(memory.data(), shape.data(), shape.size());
    open_.push_back(make(name, std::move(memory)));
    return {Result::kNew, open_.back().content, reshaped};
}

void NamedMemories::seal() {
    sealed_ = true;
    for (Open& open : open_)
        open.memory.close_fd();
}

NamedMemories::Seen NamedMemories::look(const SharedMemory& memory) {
    if (memory.size() < kShapeBytes) return {};
    return {{memory.data(), strnlen(memory.data(), kShapeBytes)},
            {memory.data() + kShapeBytes, memory.size() - kShapeBytes}};
}

void NamedMemories::inherit(Item item) {
    inherited_.push_back(std::move(item));
}

std::vector<NamedMemories::Named> NamedMemories::opened() const {
    std::vector<Named> all;
    for (const Open& open : open_)
        all.push_back({open.name, open.memory.fd()});
    return all;
}

void NamedMemories::forget(std::string_view but) {
    std::erase_if(open_, [but](const Open& open) { return open.name != but; });
    inherited_.clear();
}

}  // namespace sluice
