#pragma once

#include <memory>
#include <string_view>

#include "core/ref.h"
#include "server/seam/out_memory.h"

namespace sluice {

/// Bytes on their way to clients, shared by reference: a frame published to a topic exists once however many
/// subscribers wait for it.
class Payload : public RefCounted {
  public:
    /// Null when `is_in_file()`.
    const char* data() const { return data_; }
    size_t size() const { return size_; }
    /// Whether it is a FilePayload: only the body of an HTTP response can be one.
    bool is_in_file() const { return !data_; }

  protected:
    Payload(const char* data, size_t size) : data_(data), size_(size) {}
    const char* data_;
    size_t size_;
};

/// A payload with memory of its own, filled in once before it is shared.
class HeapPayload final : public Payload {
  public:
    static Ref<HeapPayload> create(size_t size) { return Ref<HeapPayload>::adopt(new HeapPayload(size)); }
    static Ref<HeapPayload> copy_of(std::string_view head, std::string_view body);
    char* buffer() { return memory_.get(); }

    ~HeapPayload() override { OutMemory::drop_payload(size_); }

  private:
    explicit HeapPayload(size_t size) : Payload(nullptr, size), memory_(new char[size]) {
        data_ = memory_.get();
        OutMemory::add_payload(size);
    }
    std::unique_ptr<char[]> memory_;
};

}  // namespace sluice
