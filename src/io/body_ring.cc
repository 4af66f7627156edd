#include "io/body_ring.h"

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace sluice {

namespace {
constexpr size_t kPageBytes = 4096;
/// The bytes of a ring stand behind a page with the positions.
constexpr size_t kHeadBytes = kPageBytes;
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
}  // namespace

/// Each side writes to its own cache line, and clears the other's flag when it wakes it.
struct BodyRing::Shared {
    alignas(64) std::atomic<uint64_t> written;
    std::atomic<uint32_t> writer_sleeps;
    alignas(64) std::atomic<uint64_t> taken;
    std::atomic<uint32_t> reader_sleeps;
};

std::unique_ptr<BodyRing> BodyRing::create(size_t bytes, UniqueFd& fd) {
    const size_t size = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
    fd.reset(memfd_create("sluice body", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd || ftruncate(fd.get(), static_cast<off_t>(kHeadBytes + size)) != 0) return nullptr;
    // A reader that shortens the file would end the writer by SIGBUS.
    if (fcntl(fd.get(), F_ADD_SEALS, kSeals) != 0) return nullptr;
    return map(fd.get(), size);
}

std::unique_ptr<BodyRing> BodyRing::attach(int fd) {
    struct stat info;
    if (fstat(fd, &info) != 0 || (fcntl(fd, F_GET_SEALS) & kSeals) != kSeals) return nullptr;
    const size_t whole = static_cast<size_t>(info.st_size);
    if (whole < kHeadBytes + kPageBytes || whole % kPageBytes != 0) return nullptr;
    return map(fd, whole - kHeadBytes);
}

std::unique_ptr<BodyRing> BodyRing::map(int fd, size_t size) {
    void* const place = mmap(nullptr, kHeadBytes + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (place == MAP_FAILED) return nullptr;
    return std::unique_ptr<BodyRing>(new BodyRing(static_cast<Shared*>(place), size));
}

BodyRing::~BodyRing() {
    munmap(shared_, kHeadBytes + size_);
}

std::span<char> BodyRing::piece(size_t bytes) const {
    const size_t at = static_cast<size_t>(position_ % size_);
    return {reinterpret_cast<char*>(shared_) + kHeadBytes + at, std::min(bytes, size_ - at)};
}

size_t BodyRing::free_bytes() const {
    const uint64_t filled = position_ - shared_->taken.load(std::memory_order_acquire);
    return filled > size_ ? 0 : static_cast<size_t>(size_ - filled);
}

std::span<char> BodyRing::room() const {
    return piece(free_bytes());
}

bool BodyRing::wrote(size_t bytes) {
    position_ += bytes;
    shared_->written.store(position_, std::memory_order_seq_cst);
    return shared_->reader_sleeps.load(std::memory_order_seq_cst) && shared_->reader_sleeps.exchange(0);
}

bool BodyRing::sleep_until_half_free() {
    shared_->writer_sleeps.store(1, std::memory_order_seq_cst);
    if (position_ - shared_->taken.load(std::memory_order_seq_cst) > size_ / 2) return true;
    shared_->writer_sleeps.store(0, std::memory_order_relaxed);
    return false;
}

size_t BodyRing::filled_bytes() const {
    const uint64_t filled = shared_->written.load(std::memory_order_acquire) - position_;
    return filled > size_ ? 0 : static_cast<size_t>(filled);
}

std::span<const char> BodyRing::bytes() const {
    return piece(filled_bytes());
}

bool BodyRing::took(size_t bytes) {
    position_ += bytes;
    shared_->taken.store(position_, std::memory_order_seq_cst);
    return shared_->writer_sleeps.load(std::memory_order_seq_cst) && filled_bytes() <= size_ / 2 &&
           shared_->writer_sleeps.exchange(0);
}

bool BodyRing::sleep_until_filled() {
    shared_->reader_sleeps.store(1, std::memory_order_seq_cst);
    if (shared_->written.load(std::memory_order_seq_cst) == position_) return true;
    shared_->reader_sleeps.store(0, std::memory_order_relaxed);
    return false;
}

}  // namespace sluice
