#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <netdb.h>
#include <utility>

namespace sluice {

/// The answer of gethostbyname_r(3) and its relatives, with its memory.
class HostAnswer {
  public:
    HostAnswer() = default;
    HostAnswer(HostAnswer&& other) noexcept { *this = std::move(other); }
    HostAnswer& operator=(HostAnswer&& other) noexcept;

    /// Repeats the call with more room until it is enough. `call` takes the parameters of gethostbyname_r()
    /// that follow the name.
    template <typename Call>
    void ask(Call&& call) {
        for (size_ = kFirstRoom; size_ <= kMostRoom; size_ *= 2) {
            room_ = std::make_unique<char[]>(size_);
            hostent* result = nullptr;
            error_ = call(entry_, room_.get(), size_, &result, &h_error_);
            has_entry_ = error_ == 0 && result;
            if (error_ != ERANGE) return;
        }
    }

    /// nullptr when nothing was found.
    hostent* entry() { return has_entry_ ? &entry_ : nullptr; }
    int error() const { return error_; }
    int h_error() const { return h_error_; }

    /// Copies the entry into the caller's memory. False when that is too small.
    bool copy_to(hostent& entry, char* room, size_t size) const;

  private:
    static constexpr size_t kFirstRoom = 1024;
    static constexpr size_t kMostRoom = 1 << 20;

    std::unique_ptr<char[]> room_;
    size_t size_ = 0;
    hostent entry_ = {};
    bool has_entry_ = false;
    int error_ = 0;
    int h_error_ = 0;
};

}  // namespace sluice
