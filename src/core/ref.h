#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace sluice {

/// Base of objects that several threads share by reference.
class RefCounted {
  public:
    RefCounted() = default;
    RefCounted(const RefCounted&) = delete;
    RefCounted& operator=(const RefCounted&) = delete;

    void add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
    void drop_ref() {
        if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

    /// Nobody else has a reference. Only meaningful where all references belong to one thread.
    bool is_unique() const { return count_.load(std::memory_order_acquire) == 1; }

  protected:
    virtual ~RefCounted() = default;

  private:
    std::atomic<uint32_t> count_{1};
};

/// Owns one reference to a RefCounted object.
template <typename T>
class Ref {
  public:
    Ref() = default;
    Ref(const Ref& other) : object_(other.object_) {
        if (object_) object_->add_ref();
    }
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    template <typename Derived>
    Ref(Ref<Derived> other) : object_(other.release()) {}
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_) object_->drop_ref();
    }
    /// Takes over the reference that a new object is born with.
    static Ref adopt(T* object) {
        Ref ref;
        ref.object_ = object;
        return ref;
    }

    T* release() { return std::exchange(object_, nullptr); }
    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }

  private:
    T* object_ = nullptr;
};

}  // namespace sluice
