#pragma once

#include <cstddef>
#include <cstdint>

#include "core/unique_fd.h"

namespace sluice {

/// A memory file mapped into this process. Pages that nobody touches cost nothing, so sizes may be generous.
/// Everything inside is referred to by offset, as each process may map it at another address.
class SharedMemory {
  public:
    SharedMemory() = default;
    SharedMemory(SharedMemory&& other) noexcept { *this = static_cast<SharedMemory&&>(other); }
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    ~SharedMemory();

    /// Who may write to it: only the server's own processes, or processes that the application forks, too.
    enum class Owner : uint8_t { kServer, kApplication };

    /// Makes a new, zeroed memory, whose size no process can change. Check `operator bool`; errno tells why
    /// it failed.
    static SharedMemory create(const char* name, size_t size, Owner owner = Owner::kServer);
    /// Maps a memory that another process has created; takes over the descriptor.
    static SharedMemory attach(UniqueFd fd, Owner owner = Owner::kServer);

    /// For a fork that is not a process of the server: remaps all mapped memories of Owner::kServer as
    /// private (MAP_PRIVATE), so that its writes stay its own. It goes on to see the server's writes in pages
    /// that it has not written to. False with errno set when that failed.
    static bool keep_writes_to_this_process();

    explicit operator bool() const { return data_ != nullptr; }
    char* data() const { return data_; }
    size_t size() const { return size_; }
    int fd() const { return fd_.get(); }
    /// The mapping stays. keep_writes_to_this_process() needs the descriptor: call that before.
    void close_fd() { fd_.reset(); }

  private:
    UniqueFd fd_;
    char* data_ = nullptr;
    size_t size_ = 0;
};

/// Gives whole pages of a mapped SharedMemory back to the kernel, for all processes. They are zeroed when
/// somebody touches them again.
void give_pages_back(char* data, size_t bytes);

}  // namespace sluice
