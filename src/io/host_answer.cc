#include "io/host_answer.h"

#include <cstring>

namespace sluice {

namespace {

size_t count_of(char** list) {
    size_t count = 0;
    while (list && list[count])
        ++count;
    return count;
}

/// Hands out pieces of a buffer; nothing more once a piece did not fit.
class Pieces {
  public:
    Pieces(char* room, size_t size) : next_(room), left_(size) {
        void* start = room;
        if (std::align(alignof(char*), 0, start, left_)) {
            next_ = static_cast<char*>(start);
        } else {
            left_ = 0;
        }
    }
    char* copy(const char* data, size_t size) {
        char* piece = take(size);
        if (piece) memcpy(piece, data, size);
        return piece;
    }
    char** list(size_t count) { return reinterpret_cast<char**>(take((count + 1) * sizeof(char*))); }
    bool fits() const { return fits_; }

  private:
    char* take(size_t size) {
        // Every piece is aligned for a list of pointers.
        size = (size + alignof(char*) - 1) / alignof(char*) * alignof(char*);
        fits_ = fits_ && size <= left_;
        if (!fits_) return nullptr;
        left_ -= size;
        return std::exchange(next_, next_ + size);
    }

    char* next_;
    size_t left_;
    bool fits_ = true;
};

}  // namespace

HostAnswer& HostAnswer::operator=(HostAnswer&& other) noexcept {
    room_ = std::move(other.room_);
    size_ = other.size_;
    entry_ = other.entry_;
    has_entry_ = std::exchange(other.has_entry_, false);
    error_ = other.error_;
    h_error_ = other.h_error_;
    return *this;
}

bool HostAnswer::copy_to(hostent& entry, char* room, size_t size) const {
    Pieces pieces(room, size);
    const size_t aliases = count_of(entry_.h_aliases);
    const size_t addresses = count_of(entry_.h_addr_list);
    entry = entry_;
    entry.h_addr_list = pieces.list(addresses);
    entry.h_aliases = pieces.list(aliases);
    if (!pieces.fits()) return false;
    for (size_t index = 0; index < addresses; ++index)
        entry.h_addr_list[index] =
            pieces.copy(entry_.h_addr_list[index], static_cast<size_t>(entry_.h_length));
    entry.h_addr_list[addresses] = nullptr;
    for (size_t index = 0; index < aliases; ++index)
        entry.h_aliases[index] = pieces.copy(entry_.h_aliases[index], strlen(entry_.h_aliases[index]) + 1);
    entry.h_aliases[aliases] = nullptr;
    entry.h_name = pieces.copy(entry_.h_name, strlen(entry_.h_name) + 1);
    return pieces.fits();
}

}  // namespace sluice
