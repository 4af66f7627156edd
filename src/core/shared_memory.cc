#include "core/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <vector>

#include "core/shared_log.h"

namespace sluice {

namespace {

/// All mapped memories of the server. They are few, and mapped while the process has only one thread.
struct Mapping {
    void* data;
    size_t size;
    int fd;
};
std::vector<Mapping>& mappings() {
    static std::vector<Mapping>* const all = new std::vector<Mapping>;
    return *all;
}

void unmap(void* data, size_t size) {
    if (!data) return;
    log::stop_sharing_in({static_cast<const char*>(data), size});
    std::erase_if(mappings(), [data](const Mapping& mapping) { return mapping.data == data; });
    munmap(data, size);
}

}  // namespace

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    if (this != &other) {
        unmap(data_, size_);
        fd_ = std::move(other.fd_);
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
    }
    return *this;
}

SharedMemory::~SharedMemory() {
    unmap(data_, size_);
}

SharedMemory SharedMemory::create(const char* name, size_t size, Owner owner) {
    UniqueFd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd || ftruncate(fd.get(), static_cast<off_t>(size)) != 0) return {};
    // A process that shortens the file would end all others by SIGBUS.
    if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return {};
    return attach(std::move(fd), owner);
}

SharedMemory SharedMemory::attach(UniqueFd fd, Owner owner) {
    struct stat info;
    if (fstat(fd.get(), &info) != 0 || info.st_size <= 0) return {};
    size_t size = static_cast<size_t>(info.st_size);
    void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
    if (data == MAP_FAILED) return {};
    if (owner == Owner::kServer) mappings().push_back({data, size, fd.get()});
    SharedMemory memory;
    memory.fd_ = std::move(fd);
    memory.data_ = static_cast<char*>(data);
    memory.size_ = size;
    return memory;
}

bool SharedMemory::keep_writes_to_this_process() {
    for (const Mapping& mapping : mappings()) {
        void* const data = mmap(mapping.data, mapping.size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, mapping.fd, 0);
        if (data == MAP_FAILED) return false;
    }
    return true;
}

void give_pages_back(char* data, size_t bytes) {
    // Without it they only stay where they are.
    madvise(data, bytes, MADV_REMOVE);
}

}  // namespace sluice
