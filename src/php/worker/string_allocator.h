#pragma once

#include "server/seam/worker_port.h"

namespace sluice::php {

/// Whether PHP's allocator can give `bytes`. When it cannot, it ends the script by a jump that no C++ frame
/// survives, so this is asked first.
bool fits_memory_limit(size_t bytes);

/// Base mode: messages are received straight into fresh PHP strings.
class StringAllocator final : public MessageAllocator {
  public:
    char* allocate(size_t bytes) override;
    bool has_room(size_t bytes) override;
    void free(char* payload) override;
};

/// Outlives every worker of the process.
MessageAllocator* string_allocator();

}  // namespace sluice::php
