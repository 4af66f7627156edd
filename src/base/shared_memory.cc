#include "base/shared_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>

namespace sluice {

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    if (this != &other) {
        if (data_) munmap(data_, size_);
        fd_ = std::move(other.fd_);
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
    }
    return *this;
}

SharedMemory::~SharedMemory() {
    if (data_) munmap(data_, size_);
}

SharedMemory SharedMemory::create(const char* name, size_t size) {
    UniqueFd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd || ftruncate(fd.get(), static_cast<off_t>(size)) != 0) return {};
    return attach(std::move(fd));
}

SharedMemory SharedMemory::attach(UniqueFd fd) {
    struct stat info;
    if (fstat(fd.get(), &info) != 0 || info.st_size <= 0) return {};
    size_t size = static_cast<size_t>(info.st_size);
    void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
    if (data == MAP_FAILED) return {};
    SharedMemory memory;
    memory.fd_ = std::move(fd);
    memory.data_ = static_cast<char*>(data);
    memory.size_ = size;
    return memory;
}

}  // namespace sluice
