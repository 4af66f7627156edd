// A SharedMemory that is mapped once, however often it is attached: the thread sanitiser knows memory by its
// address, and would take two mappings of one memory for two memories.
#include <cstdlib>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

#include "core/shared_memory.h"

namespace sluice {

namespace {
char* mapped = nullptr;
}

SharedMemory SharedMemory::create(const char* name, size_t size, Owner) {
    UniqueFd fd(memfd_create(name, MFD_CLOEXEC));
    if (!fd || ftruncate(fd.get(), static_cast<off_t>(size)) != 0) return {};
    return attach(std::move(fd));
}

SharedMemory SharedMemory::attach(UniqueFd fd, Owner) {
    struct stat info;
    if (fstat(fd.get(), &info) != 0) return {};
    SharedMemory memory;
    memory.size_ = static_cast<size_t>(info.st_size);
    if (!mapped) {
        void* const data = mmap(nullptr, memory.size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
        if (data == MAP_FAILED) return {};
        mapped = static_cast<char*>(data);
    }
    memory.data_ = mapped;
    memory.fd_ = std::move(fd);
    return memory;
}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    fd_ = std::move(other.fd_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
}

SharedMemory::~SharedMemory() = default;

void give_pages_back(char* data, size_t bytes) {
    madvise(data, bytes, MADV_REMOVE);
}

}  // namespace sluice
