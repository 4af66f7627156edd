#pragma once

#include <cstddef>
#include <cstdint>

#include "core/unique_fd.h"

namespace sluice {

/// A memory file mapped into this process. Pages that nobody touches cost nothing, so sizes may be generous.
/// Everything inside is referred to by offset: no two processes need to map it at the same address.
class SharedMemory {
  public:
    SharedMemory() = default;
    SharedMemory(SharedMemory&& other) noexcept { *this = static_cast<SharedMemory&&>(other); }
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    ~SharedMemory();

    /// Whose it is: of the server's own processes, or of whatever the application forks, too.
    enum class Owner : uint8_t { kServer, kApplication };

    /// A new one, zeroed. Check `operator bool`; errno tells why not.
    static SharedMemory create(const char* name, size_t size, Owner owner = Owner::kServer);
    /// Maps one that another process has created; takes over the descriptor.
    static SharedMemory attach(UniqueFd fd, Owner owner = Owner::kServer);

    /// In a forked process that is none of the server's: from here on what it writes there, in all of the
    /// server's that is mapped now, is its own. It sees what the others write where it has not written
    /// itself. False with errno set when that failed.
    static bool keep_writes_to_this_process();

    explicit operator bool() const { return data_ != nullptr; }
    char* data() const { return data_; }
    size_t size() const { return size_; }
    int fd() const { return fd_.get(); }

  private:
    UniqueFd fd_;
    char* data_ = nullptr;
    size_t size_ = 0;
};

}  // namespace sluice
