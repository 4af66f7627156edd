#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace sluice {

/// Owns one object of either type, or none, in the size of a pointer.
template <typename First, typename Second>
class EitherPtr {
  public:
    EitherPtr() = default;
    EitherPtr(const EitherPtr&) = delete;
    EitherPtr& operator=(const EitherPtr&) = delete;
    ~EitherPtr() { reset(); }

    /// nullptr: there is none, or it is of the other type.
    First* first() const { return bits_ & kIsSecond ? nullptr : reinterpret_cast<First*>(bits_); }
    Second* second() const {
        return bits_ & kIsSecond ? reinterpret_cast<Second*>(bits_ - kIsSecond) : nullptr;
    }

    EitherPtr& operator=(std::unique_ptr<First> object) {
        reset();
        bits_ = reinterpret_cast<uintptr_t>(object.release());
        return *this;
    }
    EitherPtr& operator=(std::unique_ptr<Second> object) {
        reset();
        if (object) bits_ = reinterpret_cast<uintptr_t>(object.release()) + kIsSecond;
        return *this;
    }
    void reset() {
        static_assert(!std::is_same_v<First, Second> && alignof(First) > kIsSecond && alignof(Second) > kIsSecond);
        delete first();
        delete second();
        bits_ = 0;
    }

  private:
    static constexpr uintptr_t kIsSecond = 1;
    uintptr_t bits_ = 0;
};

}  // namespace sluice
